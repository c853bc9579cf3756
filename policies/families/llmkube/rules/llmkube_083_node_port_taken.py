"""The node port that the service asks for is another Service's.

The API server gives a node port out once in the whole cluster. The service ends in phase Failed, `Failed to create
Service`.

Source: LLMKube v0.9.19, internal/controller/service_builder.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.service import address
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, services
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import name_of


@services.error(
    about=FAILURE,
    mirrors="phase Failed, Failed to create Service",
    reads=("Deployment.apps", "InferenceService", "Model", "Service"),
    good="leaves-the-cpu-image-of-a-cpu-model",
    bad="refuses-a-node-port-of-another-service",
)
def check(service: Service) -> Said:
    endpoint = part(service.spec, "endpoint")
    port = whole(endpoint, "nodePort")
    if text(endpoint, "type") != "NodePort" or not port or not name_of(service.object):
        return
    refusal = address.refusal(service.workload, address.manifest(service.workload, address.service_port(service.spec)))
    if refusal:
        said = f"{port} is the node port of another Service: {refusal}"
        yield Violation(
            ("spec", "endpoint", "nodePort"), said, found=str(port), hint="choose another port, or remove nodePort to get a free one"
        )
