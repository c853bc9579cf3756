"""Some flavors choose nodes and others do not.

The scheduler plugin passes over all of them as soon as one has no nodeSelector: pods then run on any node.

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


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    flavors = flavors_of(request.object if isinstance(request.object, dict) else None)
    if any(flavor.node_selector for flavor in flavors):
        for flavor in flavors:
            if not flavor.node_selector:
                message = f"flavor {flavor.name} takes any node, so the labels of the others don't count"
                yield RULE.finding((*flavor.path, "nodeSelector"), message, hint="give each flavor a nodeSelector, or none")


RULE = Rule(
    id="LLMAZ-014",
    name="flavor-selector-missing",
    severity=Severity.WARNING,
    kinds=("OpenModel",),
    since="0.1.0",
    source="InftyAI/scheduler-plugins docs/plugins/resource_fungibility.md",
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, nodeSelector: {gpu: t4}}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, nodeSelector: {gpu: t4}}, {name: a10}]}""",
)
