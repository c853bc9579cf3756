"""The operator's own update of a service is refused.

The operator adds a finalizer to a service before anything else, and writes the whole service back as Go encodes it. Go drops `false`, 0 and
empty values, and prints amounts in its own form: `4` becomes `"4"`, and `1024Gi` becomes `1Ti`. The CRD refuses an update that changes the
model, the template or the hardware of the overrides (in aim.silogen.ai the `gpuSelector` of the overrides and the storage of the KV cache).
So the service is never reconciled, and has no status. Leave out the empty value, or write the amount as Go does.

Source: aim-engine v0.2.1, internal/controller/aimservice_controller.go; kaiwo dbca1b55, internal/controller/utils/reconciler.go.
"""

from typing import Final

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.go_form import ChangedValue, changed_values
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.ground.go_text import json_text

#: AIM-017 says it of this one.
_SAID: Final = ("spec", "model", "custom", "hardware", "gpu", "requests")
_END: Final = "which the API server refuses: the service is never reconciled"


@objects.error(
    kinds=("AIMService",),
    about=FAILURE,
    good="accepts-unoptimized-templates-where-they-are-allowed",
    bad="refuses-to-switch-unoptimized-templates-off",
)
def check(given: Given) -> Said:
    for one in changed_values(given.object, dialect_of(given.group)):
        if one.path != _SAID:
            yield _violation(one)


def _violation(one: ChangedValue) -> Violation:
    if one.found is None:
        hint = f'write {one.path[-1]}: "1"'
        return Violation(one.path, f"the operator's own update adds it as {json_text(one.becomes)}, {_END}", expected='"1"', hint=hint)
    shown = json_text(one.found)
    if not one.becomes:
        return Violation(one.path, f"the operator's own update drops {shown}, {_END}", found=shown, hint="leave the field out")
    written = json_text(one.becomes)
    return Violation(one.path, f"the operator's own update writes {shown} as {written}, {_END}", found=shown, expected=written)
