"""The API server refuses the Service that LLMKube would create.

Its node port is taken, or its name is invalid in this release: a node port is given only once in the cluster, and before Kubernetes 1.36
the name of a Service must begin with a letter. The InferenceService becomes Failed with `Failed to create Service`. Choose another node
port or name.

Source: LLMKube v0.9.19, internal/controller/service_builder.go.
"""

from weighbridge.policies.families.llmkube.predictions.service import address
from weighbridge.policies.families.llmkube.rulebook import FAILURE, PREDICTED, Said, Service, Violation, name_of, part, services, whole
from weighbridge.policies.pods.validation.service import service_errors


@services.error(
    topic="Services: names, ports, gateways and objectives",
    about=FAILURE,
    mirrors="phase Failed, Failed to create Service",
    reads=PREDICTED,
    good="accepts-a-node-port-that-is-free",
    bad="refuses-a-node-port-of-another-service",
)
def check(service: Service) -> Said:
    if not name_of(service.object) or service.has_address:
        return
    made = address.manifest(service.workload, address.service_port(service.spec))
    refusal = address.refusal(service.workload, made)
    if not refusal or service.deployment_refusal:
        return
    endpoint = part(service.spec, "endpoint")
    port = whole(endpoint, "nodePort")
    if any(service_errors(made)):
        yield Violation(("metadata", "name"), refusal, found=name_of(service.object), hint="choose a name that begins with a letter")
    else:
        said = f"{port} is the node port of another Service: {refusal}"
        yield Violation(
            ("spec", "endpoint", "nodePort"), said, found=str(port), hint="choose another port, or remove nodePort to get a free one"
        )
