"""Some targets of a rewrite have a weight and others don't.

A request is drawn by the weights, and what has none is never drawn, or all are drawn alike, as the implementation has it. InferenceModel
refuses such a list; the CRD of InferenceModelRewrite lacks the rule, though its text asks for all or none. Give each target a weight, or
none.

Source: Gateway API Inference Extension v1.5.0, apix/v1alpha2/inferencemodelrewrite_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.targets import target_lists
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for targets in target_lists(request.object):
        without = [target for target in targets if not target.has_weight]
        if without and len(without) < len(targets):
            yield RULE.finding(
                (*without[0].path, "weight"),
                "is missing, and other targets of the rule have one",
                expected="a weight for each target, or for none",
                hint="give each target a weight from 1 to 1000000, or none of them",
            )


RULE = Rule(
    id="GIE-022",
    name="weights-partial",
    severity=Severity.WARNING,
    kinds=("InferenceModelRewrite",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.5.0 apix/v1alpha2/inferencemodelrewrite_types.go",
    check=_check,
    good="poolRef: {name: pool}\nrules: [{targets: [{modelRewrite: a, weight: 1}, {modelRewrite: b, weight: 1}]}]",
    bad="poolRef: {name: pool}\nrules: [{targets: [{modelRewrite: a, weight: 1}, {modelRewrite: b}]}]",
)
