"""The Service of the endpoint picker is of type ExternalName.

Such a Service is a name elsewhere, and forwarding to it may lead anywhere (CVE-2021-25740); implementations must not follow it, so the
pool never resolves its picker. Refer to a Service with a selector.

Source: Gateway API Inference Extension v1.6.0, api/v1/inferencepool_types.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.inference_extension.subject.picker_service import is_external, service_of
from policies.families.inference_extension.subject.pool import requested
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    pool = requested(request)
    picker, service = pool.picker, service_of(pool, facts)
    if picker is not None and service is not None and is_external(service):
        yield RULE.finding(
            (*picker.path, "name"),
            f'Service "{picker.name}" is of type ExternalName, which gateways must not forward to',
            found=picker.name,
            expected="a Service with a selector",
            hint="refer to a Service that selects the pods of the picker",
        )


RULE = Rule(
    id="GIE-012",
    name="picker-external",
    severity=Severity.WARNING,
    kinds=("InferencePool",),
    since="0.1.0",
    source="Gateway API Inference Extension v1.6.0 api/v1/inferencepool_types.go",
    reads=("Service",),
    is_about_reference=True,
    check=_check,
    good="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: epp, port: {number: 9002}}",
    bad="selector: {matchLabels: {app: vllm}}\ntargetPorts: [{number: 8000}]\nendpointPickerRef: {name: elsewhere, port: {number: 9002}}",
    beside=(
        "apiVersion: v1\nkind: Service\nmetadata: {name: epp, namespace: default}\nspec: {ports: [{port: 9002}]}"
        "\n---\napiVersion: v1\nkind: Service\nmetadata: {name: elsewhere, namespace: default}\n"
        "spec: {type: ExternalName, externalName: epp.example.com, ports: [{port: 9002}]}"
    ),
)
