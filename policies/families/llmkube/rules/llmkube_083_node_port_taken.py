"""The node port that the service asks for is another Service's.

The API server gives a node port out once in the whole cluster. The operator ends in phase Failed, `Failed to create Service`.

Source: LLMKube v0.9.19 internal/controller/service_builder.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import address as service
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import name_of


@services.error(
    about=FAILURE,
    mirrors="phase Failed, Failed to create Service",
    reads=("Deployment.apps", "InferenceService", "Model", "Service"),
    good="notes-a-node-port-that-is-ignored",
    bad="refuses-a-node-port-of-another-service",
)
def check(serving: Serving) -> Said:
    endpoint = part(serving.spec, "endpoint")
    if text(endpoint, "type") != "NodePort" or not whole(endpoint, "nodePort") or not name_of(serving.service):
        return
    refusal = service.refusal(serving.workload, service.manifest(serving.workload, service.service_port(serving.spec)))
    if refusal:
        yield Violation(
            ("spec", "endpoint", "nodePort"),
            f"{whole(endpoint, 'nodePort')} is the node port of another Service: {refusal}",
            found=str(whole(endpoint, "nodePort")),
            hint="choose another port, or remove nodePort to get a free one",
        )
