"""A template asks for another number of GPUs than its limit.

Requests and limits are laid over the operator's own figures each on their own; the API server takes no pod whose extended resources
differ. Every service of the template would fail, unless its own resources mend it.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.gpus import RESOURCE
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import amount, part, text, whole
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.quantity import Quantity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec, dialect = spec_of(request.object), dialect_of(request.gvk.group)
    gpu = lookup(spec, dialect.hardware)
    resource, count = text(gpu, "resourceName") or RESOURCE, whole(gpu, dialect.count)
    asked, most = (amount(part(spec, "resources", side).get(resource)) for side in ("requests", "limits"))
    default = Quantity.from_int(count) if count > 0 else None
    if (asked or default) != (most or default) and (asked is not None or (most is not None and default is not None)):
        yield RULE.finding(
            ("spec", "resources"),
            f"pods would request {asked or default} {resource} with a limit of {most or default or 'none'}",
            hint="set both to the same number, or leave both to the template's hardware",
        )


RULE = Rule(
    id="AIM-075",
    name="template-amounts-differ",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go",
    beside=READY,
    check=_check,
    good="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI300X}}
resources: {requests: {amd.com/gpu: 2}, limits: {amd.com/gpu: 2}}""",
    bad="""\
modelName: llama
hardware: {gpu: {requests: 1, model: MI300X}}
resources: {requests: {amd.com/gpu: 2}}""",
)
