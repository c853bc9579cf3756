"""One target model stands twice in the list.

The CRD allows it and each entry is drawn with its own weight, so the shares aren't what they look like.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    targets = spec_of(request.object).get("targetModels")
    seen: dict[str, int] = {}
    for index, target in enumerate(targets if isinstance(targets, list) else []):
        name = target.get("name") if isinstance(target, dict) else None
        if not isinstance(name, str):
            continue
        first = seen.setdefault(name, index)
        if first != index:
            yield RULE.finding(
                ("spec", "targetModels", index, "name"),
                f'"{name}" stands at targetModels[{first}] already',
                found=name,
                hint="keep one entry and give it the sum of the weights",
            )


RULE = Rule(
    id="GIE-003",
    name="target-model-repeated",
    severity=Severity.WARNING,
    kinds=("InferenceModel",),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 api/v1alpha2/inferencemodel_types.go",
    check=_check,
    good="modelName: llama-3\npoolRef: {name: pool}\ntargetModels: [{name: a, weight: 1}, {name: b, weight: 1}]",
    bad="modelName: llama-3\npoolRef: {name: pool}\ntargetModels: [{name: a, weight: 1}, {name: a, weight: 1}]",
)
