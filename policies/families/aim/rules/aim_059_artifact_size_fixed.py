"""The size of an artifact is changed, which changes nothing.

The volume is made once. aim-engine takes another size without a word and leaves the volume as it is. Make a new artifact instead.

Source: aim-engine v0.2.1 internal/aimartifact.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.objects import Operation


@objects.warning(
    kinds=("AIMArtifact", "AIMModelCache"),
    good="accepts-the-first-size-of-an-artifact",
    bad="warns-of-another-size-of-an-artifact",
)
def check(given: Given) -> Said:
    if given.request.operation is not Operation.UPDATE or not isinstance(given.request.old_object, dict):
        return
    new, old = given.spec.get("size"), spec_of(given.request.old_object).get("size")
    if amount(old) is not None and amount(new) != amount(old):
        yield Violation(
            ("spec", "size"),
            "the volume keeps its size: it is made once",
            found=str(new),
            expected=str(old),
            hint="make a new cache of the source",
        )
