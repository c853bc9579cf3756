"""The pool's selector is empty, so every pod of the namespace is an endpoint.

The experimental pool and v1.0.0 take an empty selector. Requests for a model then go to whatever runs in the namespace: databases, jobs,
the endpoint picker itself. Write the labels of the model servers. Since v1.0.2 the CRD of v1 asks for one label at least.

Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencepool_types.go; v1.0.2, config/crd/bases.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    if lookup(request.object if isinstance(request.object, dict) else {}, pool.selector_path) == {}:
        yield RULE.finding(
            pool.selector_path,
            "is empty, so every pod of the namespace is an endpoint of the pool",
            expected="labels that only the model servers have",
            hint="write the labels of the model servers",
        )


RULE = Rule(
    id="GIE-009",
    name="selector-empty",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v0.5.1 api/v1alpha2/inferencepool_types.go",
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
)
