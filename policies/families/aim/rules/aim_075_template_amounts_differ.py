"""A template asks for another number of GPUs than its limit.

Requests and limits are laid over the operator's own figures each on their own; the API server takes no pod whose extended resources
differ. Every service of the template would fail, unless its own resources mend it.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.gpus import RESOURCE
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import amount, part, text, whole
from weighbridge.policies.ground.objects import lookup
from weighbridge.policies.ground.quantity import Quantity


@objects.warning(
    kinds=("AIMServiceTemplate", "AIMClusterServiceTemplate"),
    good="accepts-gpus-of-a-template-on-both-sides",
    bad="warns-of-gpus-that-a-template-only-requests",
)
def check(given: Given) -> Said:
    spec, dialect = given.spec, dialect_of(given.group)
    gpu = lookup(spec, dialect.hardware)
    resource, count = text(gpu, "resourceName") or RESOURCE, whole(gpu, dialect.count)
    asked, most = (amount(part(spec, "resources", side).get(resource)) for side in ("requests", "limits"))
    default = Quantity.from_int(count) if count > 0 else None
    if (asked or default) != (most or default) and (asked is not None or (most is not None and default is not None)):
        yield Violation(
            ("spec", "resources"),
            f"pods would request {asked or default} {resource} with a limit of {most or default or 'none'}",
            hint="set both to the same number, or leave both to the template's hardware",
        )
