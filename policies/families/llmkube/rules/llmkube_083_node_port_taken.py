"""The node port that the service asks for is another Service's.

The API server gives a node port out once in the whole cluster. The operator ends in phase Failed, `Failed to create Service`.

Source: LLMKube v0.9.19 internal/controller/service_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.resolve.service import address as service
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, text, whole
from policies.findings import Finding, Severity
from policies.objects import name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    endpoint = part(serving.spec, "endpoint")
    if text(endpoint, "type") != "NodePort" or not whole(endpoint, "nodePort") or not name_of(serving.service):
        return
    refusal = service.refusal(serving.workload, service.manifest(serving.workload, service.service_port(serving.spec)))
    if refusal:
        yield RULE.finding(
            ("spec", "endpoint", "nodePort"),
            f"{whole(endpoint, 'nodePort')} is the node port of another Service: {refusal}",
            found=str(whole(endpoint, "nodePort")),
            hint="choose another port, or remove nodePort to get a free one",
        )


RULE = Rule(
    id="LLMKUBE-083",
    name="node-port-taken",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/service_builder.go",
    mirrors="phase Failed, Failed to create Service",
    reads=("Deployment.apps", "InferenceService", "Model", "Service"),
    is_about_failure=True,
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: Service\n"
        "metadata: {name: web, namespace: default}\n"
        "spec: {type: NodePort, ports: [{port: 80, nodePort: 30100}]}"
    ),
    check=_check,
    good="modelRef: gguf\nendpoint: {type: NodePort, nodePort: 30101}",
    bad="modelRef: gguf\nendpoint: {type: NodePort, nodePort: 30100}",
)
