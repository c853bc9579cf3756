"""Flavors of a model have different numbers of accelerators.

A pod has the limits of one flavor, whichever node it is placed on. Flavors only stand in for each other where their numbers are the
same; give the others to a model of their own.

Source: InftyAI/scheduler-plugins docs/plugins/resource_fungibility.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.subject.flavors import flavors_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import amount


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    flavors = flavors_of(request.object if isinstance(request.object, dict) else None)
    if not flavors:
        return
    first = sum(count.value() for count in flavors[0].accelerators.values())
    for flavor in flavors[1:]:
        count = sum(found.value() for found in flavor.accelerators.values())
        if count != first:
            other = f"flavor {flavors[0].name} has {first}, which pods get for either"
            message = f"flavor {flavor.name} has {amount(count, 'accelerator')} and {other}"
            yield RULE.finding((*flavor.path, "limits"), message, found=str(count), expected=str(first))


RULE = Rule(
    id="LLMAZ-013",
    name="flavor-counts-differ",
    severity=Severity.WARNING,
    kinds=("OpenModel",),
    since="0.1.0",
    source="InftyAI/scheduler-plugins docs/plugins/resource_fungibility.md",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 1}}, {name: a10, limits: {nvidia.com/gpu: 1}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, limits: {nvidia.com/gpu: 1}}, {name: a10, limits: {nvidia.com/gpu: 2}}]}""",
)
