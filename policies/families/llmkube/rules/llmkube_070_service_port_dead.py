"""The Service sends to a port on which nothing listens.

The Service uses `endpoint.port`, or 8080 by default. The container uses `containerPort`, else `endpoint.port`, else its engine's
default. If they differ, the pods are ready, but no request arrives. personaplex always listens on 8998.

Source: LLMKube v0.9.19, internal/controller/service_builder.go; internal/controller/deployment_builder.go.
"""

from weighbridge.policies.families.llmkube.fill.ports import listening_port
from weighbridge.policies.families.llmkube.predictions.service.address import service_port
from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Severity, Violation, with_model


@with_model.error(
    topic="Services: names, ports, gateways and objectives",
    reads=PREDICTED,
    good="fills-the-port-of-the-container",
    bad="refuses-a-service-port-that-the-server-does-not-listen-on",
)
def check(service: Service) -> Said:
    spec = service.spec
    listening, sending = listening_port(service.runtime, spec), service_port(spec)
    if listening == sending or _is_moved(service):
        return
    yield Violation(
        ("spec", "endpoint", "port") if isinstance(spec.get("endpoint"), dict) else ("spec", "endpoint"),
        f"the Service sends to port {sending}, but the container listens on {listening}",
        found=str(sending),
        expected=str(listening),
        hint=f"set endpoint.port to {listening}" + (", or remove containerPort" if spec.get("containerPort") else ""),
        severity=Severity.WARNING if _may_listen_elsewhere(service) else None,
    )


def _may_listen_elsewhere(service: Service) -> bool:
    """Whether the author starts the server with another command, so that its port isn't known."""
    return service.runtime == "generic" or (bool(service.spec.get("command")) and service.started is None)


def _is_moved(service: Service) -> bool:
    """Whether an argument moves the server away from the container's port, or may do so; LLMKUBE-160 is about that."""
    line = service.line if service.has_own_arguments else None
    return line is not None and line.final("port") is not None and line.number("port") != service.launch.port
