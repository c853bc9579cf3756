"""A pod has more GPUs than its engine computes on.

vLLM and SGLang take one GPU unless a tensor, pipeline or data parallel size says more; llama.cpp and TGI take all that they find. The rest
of the pod's GPUs is held and idle. Write the size, or ask for fewer GPUs. Looked at is what the merge of service and runtime gives.

Source: vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15, python/sglang/srt/server_args.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.families.ome.predictions.merge.created_objects import made_of
from weighbridge.policies.families.ome.predictions.merge.servers import servers_of
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.serving_engines.containers import started_in
from weighbridge.policies.families.serving_engines.faults import gpus_idle, gpus_of
from weighbridge.policies.ground.request import Request


@objects.warning(
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    reads=CLASS_READS,
    good="accepts-an-image-for-the-gpu",
    bad="warns-of-gpus-that-the-engine-never-uses",
)
def check(given: Given) -> Said:
    if given.kind != "InferenceService":
        yield from _of_runtime(given.request)
        return
    made = made_of(*given)
    for server in servers_of(made) if made is not None else ():
        gpus = gpus_of(server.container)
        if server.started is None or server.is_group or gpus is None:
            continue
        for fault in gpus_idle(server.started, gpus[1], gpus[0]):
            yield fault.violation(server.path(*(fault.place or ("args",))))


def _of_runtime(request: Request) -> Iterator[Violation]:
    for pod, path in pod_parts(request.object):
        if len(path) > 2 or pod.get("leader") or pod.get("worker"):
            continue
        for container in containers_of(pod, path):
            started, gpus = started_in(container.obj), gpus_of(container.obj)
            if started is not None and gpus is not None:
                for fault in gpus_idle(started, gpus[1], gpus[0]):
                    yield fault.violation((*container.path, *fault.place))
