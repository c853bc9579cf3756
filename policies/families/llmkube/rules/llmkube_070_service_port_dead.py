"""The Service sends to a port at which nobody listens.

The Service goes by `endpoint.port` (8080 where there is none), the container by `containerPort`, else by `endpoint.port`, else by
its engine. Pods are ready, and no request arrives. personaplex listens at 8998 whatever it is told.

Source: LLMKube v0.9.19 internal/controller/service_builder.go and deployment_builder.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmkube.fill.ports import listening_port
from weighbridge.policies.families.llmkube.predictions.service.address import service_port
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.findings import Severity


def _may_listen_elsewhere(serving: Serving) -> bool:
    """Whether the author starts the server in a way of their own, so that its port isn't known."""
    return serving.runtime == "generic" or (bool(serving.spec.get("command")) and serving.started is None)


def _is_moved(serving: Serving) -> bool:
    """Whether an argument moves the server away from the container's port, of which LLMKUBE-160 speaks, or may do so."""
    if not serving.has_own_arguments or serving.started is None:
        return False
    line = serving.started.line
    return line.final("port") is not None and line.number("port") != serving.launch.port


@services.error(
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    good="fills-the-port-of-the-container",
    bad="refuses-a-service-port-that-nobody-listens-at",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is None:
        return
    listening, sending = listening_port(serving.runtime, serving.spec), service_port(serving.spec)
    if listening == sending or _is_moved(serving):
        return
    field = ("spec", "endpoint", "port") if isinstance(serving.spec.get("endpoint"), dict) else ("spec", "endpoint")
    finding = Violation(
        field,
        f"the Service sends to port {sending}, but the container listens at {listening}",
        found=str(sending),
        expected=str(listening),
        hint=f"set endpoint.port to {listening}" + (", or remove containerPort" if serving.spec.get("containerPort") else ""),
    )
    yield replace(finding, severity=Severity.WARNING) if _may_listen_elsewhere(serving) else finding
