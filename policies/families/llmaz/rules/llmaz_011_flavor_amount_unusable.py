"""A flavor's limit is no amount that pods can have.

Devices are counted in whole numbers, and no amount is below zero. The LeaderWorkerSet is made all the same, but each of its pods is
refused.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.flavors import flavors_of, is_extended
from policies.fields import amount
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        for name, value in flavor.limits.items():
            found = amount(value)
            if found is None:
                continue
            path = (*flavor.path, "limits", name)
            if found.sign() < 0:
                yield RULE.finding(path, "a limit can't be below zero", found=str(value))
            elif is_extended(name) and not found.is_integer():
                yield RULE.finding(path, f"{name} is given in whole numbers", found=str(value), expected=str(found.value()))
            elif is_extended(name) and found.is_zero():
                yield RULE.finding(path, f"the flavor has no {name}", found=str(value), hint="give an amount, or remove the limit")


RULE = Rule(
    id="LLMAZ-011",
    name="flavor-amount-unusable",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 1}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 500m}}]}""",
)
