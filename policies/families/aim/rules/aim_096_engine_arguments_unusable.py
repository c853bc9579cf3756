"""The engine can't read an argument of `AIM_ENGINE_ARGS`, or listens elsewhere by it.

Each key is a flag of the engine that the template's profile names; at one that it doesn't know the engine stops, and the container restarts
for good. Flags are looked up in the engine's own list, of the version that is named; a newer image may have more, so this only warns. With
a `port` other than 8000 the server moves, and KServe's Service sends to 8000 all the same.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; vLLM 0.25.1; SGLang 0.5.15.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.engine_arguments import engine_arguments
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.workload import PORT
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.families.serving_engines.faults import unreachable_port, unreadable
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    found = engine_arguments(serving.work) if serving is not None and serving.work is not None else None
    if found is None:
        return
    for fault in unreadable(found.unknown):
        yield fault.finding(RULE, found.path)
    if found.started.line.final("port") is not None:
        for fault in unreachable_port(found.started, {}, [PORT]):
            yield fault.finding(RULE, found.path)


RULE = Rule(
    id="AIM-096",
    name="engine-arguments-unusable",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; vLLM 0.25.1",
    reads=SERVICE_READS,
    beside=READY.replace("metadata: {type: optimized,", "metadata: {engine: vllm, type: optimized,"),
    check=_check,
    good="""\
model: {name: llama}
env: [{name: AIM_ENGINE_ARGS, value: '{"max-model-len": 8192}'}]""",
    bad="""\
model: {name: llama}
env: [{name: AIM_ENGINE_ARGS, value: '{"context-length": 8192}'}]""",
)
