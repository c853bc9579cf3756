"""A template asks for more GPUs than any node of the cluster has.

All GPUs of a replica are on one node. Nothing compares the number with the nodes before the pods wait for good.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36 noderesources.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.gpus import RESOURCE
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text, whole
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect = dialect_of(request.gvk.group)
    gpu = lookup(spec_of(request.object), dialect.hardware)
    count, resource = whole(gpu, dialect.count), text(gpu, "resourceName") or RESOURCE
    if facts.inventory is None or count <= 0:
        return
    richest = facts.inventory.richest(resource)
    most = richest.amounts.get(resource, 0) if richest is not None else 0
    if richest is not None and 0 < most < count:
        yield RULE.finding(
            ("spec", *dialect.hardware, dialect.count),
            f"{count} {resource} for a replica, and no node has more than {most}",
            found=str(count),
            expected=f"at most {most}",
            nearest=richest.name,
        )


RULE = Rule(
    id="AIM-041",
    name="template-gpus-exceed-nodes",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36 noderesources",
    reads=("Node",),
    beside=READY,
    check=_check,
    good="modelName: llama\nhardware: {gpu: {requests: 8, model: MI300X}}",
    bad="modelName: llama\nhardware: {gpu: {requests: 16, model: MI300X}}",
)
