"""A pod has more GPUs than its engine computes on.

vLLM and SGLang take one GPU unless a tensor, pipeline or data parallel size says more; llama.cpp and TGI take all that they find. The rest
of the pod's GPUs is held and idle. Write the size, or ask for fewer GPUs. Looked at is what the merge of service and runtime gives.

Source: vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15, python/sglang/srt/server_args.py.
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
from policies.families.serving_engines.faults import gpus_idle, gpus_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.gvk.kind != "InferenceService":
        yield from _of_runtime(request)
        return
    made = made_of(request, facts, config)
    for server in servers_of(made) if made is not None else ():
        gpus = gpus_of(server.container)
        if server.started is None or server.is_group or gpus is None:
            continue
        for fault in gpus_idle(server.started, gpus[1], gpus[0]):
            yield fault.finding(RULE, server.path(*(fault.place or ("args",))))


def _of_runtime(request: Request) -> Iterator[Finding]:
    for pod, path in pod_parts(request.object):
        if len(path) > 2 or pod.get("leader") or pod.get("worker"):
            continue
        for container in containers_of(pod, path):
            started, gpus = started_in(container.obj), gpus_of(container.obj)
            if started is not None and gpus is not None:
                for fault in gpus_idle(started, gpus[1], gpus[0]):
                    yield fault.finding(RULE, (*container.path, *fault.place))


RULE = Rule(
    id="OME-167",
    name="gpus-unused",
    severity=Severity.WARNING,
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="vLLM 0.25.1 vllm/config/parallel.py",
    reads=CLASS_READS,
    beside=SERVABLE.replace(
        '"sglang:1"',
        '"docker.io/vllm/vllm-openai:v0.25.1", args: [$(MODEL_PATH), --port, "8080"], resources: {limits: {nvidia.com/gpu: 2}}',
        1,
    ),
    check=_check,
    good="""\
model: {name: llama}
engine: {runner: {name: ome-container, args: [$(MODEL_PATH), --port, "8080", --tensor-parallel-size, "2"]}}
""",
    bad="model: {name: llama}\nengine: {}",
)
