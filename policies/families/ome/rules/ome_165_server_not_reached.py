"""The server listens on an address or port that neither the probes nor the Service reach.

OME probes the port that the container declares, or 8080 by default, and the service's Service sends to it. A router finds the engines
by their pods. The engine listens on the port of its command line: `--port` of vLLM, SGLang, llama.cpp and TGI, `--http-port` of
Triton, else the engine's own default (vLLM 8000, SGLang 30000). If the two differ, the pods never become ready. SGLang without
`--host` listens only on 127.0.0.1. Write the same port on the command line, in `ports` and in the probes.

The rule judges a service as OME merges it with its runtime. For a runtime alone it only warns, because its services may set other
values.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/{raw,service}; vLLM 0.25.1; SGLang 0.5.15.
"""

from typing import Final

from weighbridge.policies.families.ome.predictions.engines import servers_of_service
from weighbridge.policies.families.ome.predictions.merge.pods import with_default_probe
from weighbridge.policies.families.ome.rulebook import SERVER_KINDS, WORKLOAD_READS, Given, Said, Severity, items, objects
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.serving_engines.containers import started_in
from weighbridge.policies.families.serving_engines.faults import declared_ports, unreached
from weighbridge.policies.ground.records import replace

#: The port to which OME's Services send if no port is declared.
_PORT: Final = 8080


@objects.error(
    kinds=SERVER_KINDS,
    reads=WORKLOAD_READS,
    good="accepts-the-declared-port-of-the-server",
    bad="refuses-another-declared-port-than-the-server-s",
)
def check(given: Given) -> Said:
    if given.kind != "InferenceService":
        yield from _of_runtime(given)
        return
    for server in servers_of_service(*given):
        # A worker serves no requests, and OME-166 is about arguments that a service's list drops.
        if server.started is None or server.role == "worker" or {"port", "host"} & {meaning for meaning, _ in server.dropped}:
            continue
        sends = server.is_front and server.is_first and server.is_alone
        for fault in unreached(server.started, server.container, declared_ports(server.container, _PORT)[:1] if sends else []):
            is_own = fault.place and server.own.get(str(fault.place[0]))
            yield fault.violation(server.path(*fault.place) if is_own else server.path("ports"))


def _of_runtime(given: Given) -> Said:
    parts = list(pod_parts(given.object))
    front = "routerConfig" if any("routerConfig" in path for _, path in parts) else "engineConfig"
    for pod, path in parts:
        if path[-1] == "worker":
            continue
        is_sent_to = front in path and not items(pod, "containers")
        for container in containers_of(pod, path):
            started = started_in(container.obj) if container.is_runner else None
            probed = container.obj if "leader" in path else items(with_default_probe({"containers": [container.obj]}), "containers")[0]
            sent = declared_ports(container.obj, _PORT)[:1] if is_sent_to else []
            for fault in unreached(started, probed, sent) if started is not None else ():
                yield replace(fault.violation((*container.path, *fault.place)), severity=Severity.WARNING)
