"""The engine can't read an argument.

Engines stop at a flag that they don't know, at one without its value, and at a word that belongs to no flag; the container then restarts
for good. Flags are looked up in the engine's own list, of the version that is named; a newer image may have more, so this only warns. Flags
that older versions had are passed over, since the image may be one. Looked at is what the merge of service and runtime gives.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7; Triton, src/command_line_parser.cc.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.resolve.merge.servers import servers_of
from policies.families.ome.rules._examples import CLASS_READS, SERVABLE
from policies.families.ome.subject.components import containers_of, pod_parts
from policies.families.serving_engines.containers import started_in
from policies.families.serving_engines.faults import unreadable
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.gvk.kind != "InferenceService":
        for pod, path in pod_parts(request.object):
            for container in containers_of(pod, path):
                started = started_in(container.obj)
                for fault in unreadable(started) if started is not None else ():
                    yield fault.finding(RULE, (*container.path, *fault.place))
        return
    made = made_of(request, facts, config)
    for server in servers_of(made) if made is not None else ():
        for fault in unreadable(server.started) if server.started is not None else ():
            yield fault.finding(RULE, server.path(*fault.place))


RULE = Rule(
    id="OME-168",
    name="argument-unknown",
    severity=Severity.WARNING,
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="vLLM 0.25.1 vllm/engine/arg_utils.py",
    reads=CLASS_READS,
    beside=SERVABLE.replace('"sglang:1"', '"docker.io/vllm/vllm-openai:v0.25.1", args: [$(MODEL_PATH), --port, "8080"]', 1),
    check=_check,
    good="""\
model: {name: llama}
engine: {runner: {name: ome-container, args: [$(MODEL_PATH), --port, "8080", --max-model-len, "8192"]}}
""",
    bad="""\
model: {name: llama}
engine: {runner: {name: ome-container, args: [$(MODEL_PATH), --port, "8080", --context-length, "8192"]}}
""",
)
