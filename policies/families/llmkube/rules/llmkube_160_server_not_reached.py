"""The server listens on an address or port that neither the probes nor the Service reach.

`--port` in `extraArgs` moves the server to another port, but not the container's port, the probes and the Service. Kubernetes then
restarts the container again and again. A server on a loopback address or on a Unix socket can't be reached from outside its pod. With a
certificate the server speaks TLS, and with `--api-prefix` llama.cpp serves its health check under another path, so the probes fail. Set
`endpoint.port`, `containerPort`, `bindAddress` or `probeOverrides` instead.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; internal/controller/runtime_args.go; Kubernetes
v1.36, pkg/kubelet/prober.
"""

from collections.abc import Iterator

from weighbridge.policies.families.llmkube.predictions.engines.command_line import Started
from weighbridge.policies.families.llmkube.predictions.own_arguments import place, shown
from weighbridge.policies.families.llmkube.predictions.service.address import service_port
from weighbridge.policies.families.llmkube.rulebook import Arguments, Said, Service, Severity, Violation, command_lines
from weighbridge.policies.families.serving_engines.ports import is_local
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import JSONObject


@command_lines.error(
    topic="Services: arguments of the engine", good="accepts-a-port-that-all-agree-on", bad="refuses-a-port-that-the-probes-miss"
)
def check(arguments: Arguments) -> Said:
    service, found = arguments
    if service.has_own_arguments or service.spec.get("bindAddress"):
        yield from _port(service, found)
        yield from _address(found)
        yield from _answers(service, found)


def _port(service: Service, found: Started) -> Iterator[Violation]:
    flag, port = found.line.final("port"), found.line.number("port")
    declared, sending = service.launch.port, service_port(service.spec)
    stops = found.line.stops_at_repeats and flag is not None and len(found.line.all_of(flag.flag)) > 1
    if flag is None or port is None or port == declared or stops:
        return
    missed = [f"the probes use {declared}"] if any(_asks_at(probe, declared) != port for probe in _probes(service)) else []
    missed += [f"the Service sends to {sending}"] if sending != port else []
    if missed:
        yield Violation(
            place(found, flag.at),
            f"{shown(flag)} makes {found.table.engine} listen on port {port}, but {' and '.join(missed)}",
            found=str(port),
            expected=str(declared),
            hint=f"remove {flag.written}, and set endpoint.port to {port} if you want that port",
            severity=None if service.runs_its_engine else Severity.WARNING,
        )


def _address(found: Started) -> Iterator[Violation]:
    flag = found.line.final("host")
    addresses = [address.strip() for address in flag.value.split(",")] if flag is not None else []
    if flag is not None and addresses and all(map(is_local, addresses)):
        yield Violation(
            place(found, flag.at),
            f"{found.table.engine} listens on {flag.value} only, so neither the probes nor the Service reach it",
            found=flag.value,
            expected="an address of the pod, such as 0.0.0.0 or ::",
            hint="set bindAddress to 0.0.0.0, or remove the address: the operator gives ::",
            severity=Severity.WARNING,
        )


def _answers(service: Service, found: Started) -> Iterator[Violation]:
    """The argument that makes the server answer in another way than the probes ask."""
    asked = [part(probe, "httpGet") for probe in _probes(service) if part(probe, "httpGet")]
    tls, prefixed = found.line.final("tls"), found.line.final("prefix")
    if tls is not None and any(text(http, "scheme", "HTTP") == "HTTP" for http in asked):
        yield Violation(
            place(found, tls.at),
            f"with {tls.written} {found.table.engine} speaks TLS, but the probes ask without it and fail",
            hint="set scheme HTTPS in all three of probeOverrides",
            severity=Severity.WARNING,
        )
    prefix = prefixed.value.rstrip("/") if prefixed is not None else ""
    if prefixed is not None and prefix and not all(text(http, "path").startswith(prefix) for http in asked):
        yield Violation(
            place(found, prefixed.at),
            f"{shown(prefixed)} moves the health endpoint to {prefix}/health, but the probes use another path and fail",
            hint=f"set path {prefix}/health in all three of probeOverrides",
            severity=Severity.WARNING,
        )


def _probes(service: Service) -> tuple[JSONObject, ...]:
    return service.launch.startup, service.launch.liveness, service.launch.readiness


def _asks_at(probe: JSONObject, declared: int) -> int:
    """The port to which a probe connects; a name means the container's port."""
    return next((whole(part(probe, kind), "port", declared) for kind in ("httpGet", "tcpSocket", "grpc") if part(probe, kind)), declared)
