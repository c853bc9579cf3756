"""The engine can't read an argument.

Engines stop at a flag that they don't know, at one without its value, and at a word that belongs to no flag; the container then restarts
for good. Flags are looked up in the engine's own list, of the version that is named; a newer image may have more, so this only warns. Flags
that older versions had are passed over, since the image may be one. Looked at is what the merge of service and runtime gives.

Source: llama.cpp, common/arg.cpp; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7; Triton, src/command_line_parser.cc.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.merge.created_objects import made_of
from weighbridge.policies.families.ome.predictions.merge.servers import servers_of
from weighbridge.policies.families.ome.rulebook import Given, Said, objects
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.serving_engines.containers import started_in
from weighbridge.policies.families.serving_engines.faults import unreadable


@objects.warning(
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    reads=CLASS_READS,
    good="accepts-a-flag-of-an-older-version",
    bad="warns-of-a-flag-that-no-engine-has",
)
def check(given: Given) -> Said:
    if given.kind != "InferenceService":
        for pod, path in pod_parts(given.object):
            for container in containers_of(pod, path):
                started = started_in(container.obj)
                for fault in unreadable(started) if started is not None else ():
                    yield fault.violation((*container.path, *fault.place))
        return
    made = made_of(*given)
    for server in servers_of(made) if made is not None else ():
        for fault in unreadable(server.started) if server.started is not None else ():
            yield fault.violation(server.path(*fault.place))
