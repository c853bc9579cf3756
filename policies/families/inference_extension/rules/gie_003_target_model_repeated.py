"""One target model stands twice in the list.

The CRDs of InferenceModel and InferenceModelRewrite allow it, and each entry is drawn with its own weight, so the shares aren't what they
look like. Keep one entry and give it the sum of the weights.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.targets import target_lists
from policies.findings import Finding, Severity
from policies.objects import field
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for targets in target_lists(request.object):
        seen: dict[str, str] = {}
        for target in targets:
            if target.name in seen:
                yield RULE.finding(
                    target.name_path,
                    f'"{target.name}" stands at {seen[target.name]} already',
                    found=target.name,
                    hint="keep one entry and give it the sum of the weights",
                )
            elif target.name:
                seen[target.name] = field(target.path)


RULE = Rule(
    id="GIE-003",
    name="target-model-repeated",
    severity=Severity.WARNING,
    kinds=("InferenceModel", "InferenceModelRewrite"),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 api/v1alpha2/inferencemodel_types.go",
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}\ntargetModels: [{name: a, weight: 1}, {name: b, weight: 1}]",
    bad="modelName: llama-3\npoolRef: {name: pool}\ntargetModels: [{name: a, weight: 1}, {name: a, weight: 1}]",
)
