"""The Model asks for CPU or memory, which has no effect.

`spec.resources` of a Model has no reader in the operator: no pod gets a request or a limit from it. What the pods
request stands in the InferenceService's `spec.resources`.

Source: LLMKube v0.9.19, api/v1alpha1/model_types.go and internal/controller, which never reads the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    stated = [name for name in ("cpu", "memory") if part(spec_of(request.object), "resources").get(name)]
    if stated:
        yield RULE.finding(
            ("spec", "resources"),
            f"no pod requests {' and '.join(stated)} of a Model",
            hint="move it to spec.resources of the InferenceService",
        )


RULE = Rule(
    id="LLMKUBE-029",
    name="resources-never-read",
    severity=Severity.NOTE,
    kinds=("Model",),
    since="0.1.0",
    source="LLMKube v0.9.19 api/v1alpha1/model_types.go",
    check=_check,
    good="source: hf://org/model",
    bad="source: hf://org/model\nresources: {memory: 16Gi}",
)
