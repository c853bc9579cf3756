"""The server listens where neither the probes nor the Service reach it.

`--port` in `extraArgs` moves the server, but the container's port, the probes and the Service stay: Kubernetes restarts the container
until somebody notices. A server on a loopback address or on a Unix socket answers nobody outside of its pod. With a certificate it speaks
TLS, and with `--api-prefix` llama.cpp serves its health under another path, so the probes fail. Set `endpoint.port`, `containerPort`,
`bindAddress` or `probeOverrides` instead.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go and runtime_args.go; Kubernetes v1.36, pkg/kubelet/prober.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.service.address import service_port
from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmkube.subject.arguments import place, shown
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject

#: What the operator writes, and what most authors do.
_EVERYWHERE: Final = frozenset({"::", "0.0.0.0"})  # noqa: S104 (an address that is read, none to listen on)


@services.error(
    reads=("Deployment.apps", "InferenceService", "Model", "PersistentVolumeClaim"),
    good="accepts-a-port-that-all-agree-on",
    bad="refuses-a-port-that-the-probes-miss",
)
def check(serving: Serving) -> Said:
    if not (serving.has_own_arguments or serving.spec.get("bindAddress")) or serving.pod_model is None or serving.started is None:
        return
    yield from _port(serving, serving.started)
    for finding in (*_address(serving, serving.started), *_answers(serving, serving.started)):
        yield replace(finding, severity=Severity.WARNING)


def _port(serving: Serving, found: Started) -> Iterator[Violation]:
    given, port = found.line.final("port"), found.line.number("port")
    declared, sending = serving.launch.port, service_port(serving.spec)
    stops = found.line.stops_at_repeats and given is not None and len(found.line.all_of(given.flag)) > 1
    if given is None or port is None or port == declared or stops:
        return
    dead = [name for name, probe in _probes(serving) if _asks_at(probe, declared) != port]
    missed = [f"the probes ask at {declared}"] if dead else []
    missed += [f"the Service sends to {sending}"] if sending != port else []
    if not missed:
        return
    finding = Violation(
        place(found, given.at),
        f"{shown(given)} makes {found.table.engine} listen at port {port}, but {' and '.join(missed)}",
        found=str(port),
        expected=str(declared),
        hint=f"remove {given.written}, and set endpoint.port to {port} if you want that port",
    )
    yield finding if serving.runs_its_engine else replace(finding, severity=Severity.WARNING)


def _address(serving: Serving, found: Started) -> Iterator[Violation]:
    given = found.line.final("host")
    addresses = [address.strip() for address in given.value.split(",")] if given is not None else []
    if given is not None and addresses and all(map(_is_local, addresses)):
        yield Violation(
            place(found, given.at),
            f"{found.table.engine} listens on {given.value} only, so neither the probes nor the Service reach it",
            found=given.value,
            expected="an address of the pod, such as 0.0.0.0 or ::",
            hint="set bindAddress to 0.0.0.0, or remove the address: the operator gives ::",
        )


def _is_local(address: str) -> bool:
    if address in _EVERYWHERE:
        return False
    if address == "localhost" or address.endswith(".sock"):
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _answers(serving: Serving, found: Started) -> Iterator[Violation]:
    """The argument that makes the server answer at another address than the probes use."""
    asked = [part(probe, "httpGet") for _, probe in _probes(serving) if part(probe, "httpGet")]
    given = found.line.final("tls")
    if given is not None and any(text(http, "scheme", "HTTP") == "HTTP" for http in asked):
        yield Violation(
            place(found, given.at),
            f"with {given.written} {found.table.engine} speaks TLS, but the probes ask without it and fail",
            hint="set scheme HTTPS in all three of probeOverrides",
        )
    given = found.line.final("prefix")
    prefix = given.value.rstrip("/") if given is not None else ""
    if given is not None and prefix and not all(text(http, "path").startswith(prefix) for http in asked):
        yield Violation(
            place(found, given.at),
            f"{shown(given)} moves the health endpoint to {prefix}/health, but the probes ask at another path and fail",
            hint=f"set path {prefix}/health in all three of probeOverrides",
        )


def _probes(serving: Serving) -> tuple[tuple[str, JSONObject], ...]:
    launch = serving.launch
    return (("startup", launch.startup), ("liveness", launch.liveness), ("readiness", launch.readiness))


def _asks_at(probe: JSONObject, declared: int) -> int:
    """The port that a probe asks at; a name stands for the container's."""
    return next((whole(part(probe, kind), "port", declared) for kind in ("httpGet", "tcpSocket", "grpc") if part(probe, kind)), declared)
