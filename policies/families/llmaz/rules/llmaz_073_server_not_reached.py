"""The server listens where neither the probes nor the Service reach it.

llmaz declares port 8080 in the pods of a Playground, sends to it from the Service in front, and its chart's runtimes probe there. What the
engine listens at is decided by its command line, the arguments of the Playground after those of the runtime, else by its own default (vLLM
8000, SGLang 30000). Write `--port 8080`, and for SGLang `--host 0.0.0.0`, as the chart's runtimes do.

Source: llmaz 3c13ff3 pkg/controller/inference/{playground,service}_controller.go and chart/templates/backends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.servers import servers_of
from policies.families.llmaz.resolve.workload import PORT
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.families.serving_engines.faults import unreached
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for server in servers_of(request, facts, config):
        if server.started is None or not server.leads or not server.is_runner:
            continue
        for fault in unreached(server.started, server.container, [PORT]):
            yield replace(fault, message=fault.message + server.whose).finding(RULE, server.path(*fault.place))


RULE = Rule(
    id="LLMAZ-073",
    name="server-not-reached",
    severity=Severity.WARNING,
    kinds=("Playground", "Service"),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    reads=CLAIM_READS,
    beside=BESIDE,
    check=_check,
    good='modelClaim: {modelName: opt}\nbackendRuntimeConfig: {args: [--seed, "1"]}',
    bad='modelClaim: {modelName: opt}\nbackendRuntimeConfig: {args: [--port, "8000"]}',
)
