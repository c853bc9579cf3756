"""The server listens where neither the probes nor the Service reach it.

llmaz declares port 8080 in the pods of a Playground, sends to it from the Service in front, and its chart's runtimes probe there. What the
engine listens at is decided by its command line, the arguments of the Playground after those of the runtime, else by its own default (vLLM
8000, SGLang 30000). Write `--port 8080`, and for SGLang `--host 0.0.0.0`, as the chart's runtimes do.

Source: llmaz 3c13ff3 pkg/controller/inference/{playground,service}_controller.go and chart/templates/backends.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmaz.predictions.servers import servers_of
from weighbridge.policies.families.llmaz.predictions.workload import PORT
from weighbridge.policies.families.llmaz.rulebook import Given, Said, objects
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.serving_engines.faults import unreached


@objects.warning(
    kinds=("Playground", "Service"),
    reads=CLAIM_READS,
    good="accepts-one-gpu-without-parallelism",
    bad="warns-of-a-playground-at-another-port",
)
def check(given: Given) -> Said:
    for server in servers_of(*given):
        if server.started is None or not server.leads or not server.is_runner:
            continue
        for fault in unreached(server.started, server.container, [PORT]):
            yield replace(fault, message=fault.message + server.whose).violation(server.path(*fault.place))
