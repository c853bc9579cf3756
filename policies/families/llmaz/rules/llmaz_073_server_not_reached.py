"""The server listens on an address or port that neither the probes nor the Service reach.

llmaz declares port 8080 in the pods of a Playground. Its Service sends requests to this port, and its chart's runtimes probe it. The
engine listens on the port of its command line, in which the Playground's arguments follow those of the runtime, or else on its own
default (vLLM 8000, SGLang 30000). Write `--port 8080`, and for SGLang `--host 0.0.0.0`, as the chart's runtimes do.

Source: llmaz 3c13ff3, pkg/controller/inference/{playground,service}_controller.go and chart/templates/backends.
"""

from weighbridge.policies.families.llmaz.predictions.workload import PORT
from weighbridge.policies.families.llmaz.rulebook import Said, Servers, servers
from weighbridge.policies.families.serving_engines.faults import unreached


@servers.warning(good="accepts-one-gpu-without-parallelism", bad="warns-of-a-playground-at-another-port")
def check(servers: Servers) -> Said:
    for server in servers:
        if server.started is not None and server.leads and server.is_runner:
            yield from map(server.violation, unreached(server.started, server.container, [PORT]))
