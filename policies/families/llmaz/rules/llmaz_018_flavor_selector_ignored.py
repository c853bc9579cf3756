"""A flavor's nodeSelector has no effect with the scheduler of this cluster.

llmaz never writes it into pods. Only its scheduler plugin or its fork of Karpenter reads it, and the ConfigMap names the default
scheduler.

Source: llmaz 3c13ff3 chart/values.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.operator import operator_of
from policies.families.llmaz.rules._examples import BESIDE
from policies.families.llmaz.subject.flavors import flavors_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    operator = operator_of(facts, config)
    if operator.scheduler not in ("", "default-scheduler") or not (operator.is_known or operator.scheduler_origin == "configuration"):
        return
    for flavor in flavors_of(request.object if isinstance(request.object, dict) else None):
        if flavor.node_selector:
            hint = "install the scheduler plugin and name it in llmaz-global-config"
            yield RULE.finding((*flavor.path, "nodeSelector"), "the default scheduler doesn't read flavors, so any node will do", hint=hint)


RULE = Rule(
    id="LLMAZ-018",
    name="flavor-selector-ignored",
    severity=Severity.NOTE,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 chart/values.yaml",
    reads=("ConfigMap/llmaz-global-config",),
    beside=BESIDE,
    check=_check,
    good="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4}]}""",
    bad="""\
familyName: opt
source: {modelHub: {modelID: facebook/opt-125m}}
inferenceConfig: {flavors: [{name: t4, nodeSelector: {gpu: t4}}]}""",
)
