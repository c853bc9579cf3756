"""The image is built for other GPUs than the pod holds, or for none.

An image for ROCm finds no NVIDIA GPU, and the other way round: the engine ends at start, or computes on the CPU while the GPU is held.
Known are the images that the engines' projects publish, also from a mirror that the
configuration names (`images.mirrors`) or that keeps the last two steps of their names. Looked at is what
the merge of service and runtime gives.

Source: llama.cpp, docs/docker.md; vLLM, SGLang and text-generation-inference, the tags of their images.
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
from policies.families.serving_engines.faults import foreign_image, gpus_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.gvk.kind != "InferenceService":
        for pod, path in pod_parts(request.object):
            for written in containers_of(pod, path):
                gpus = gpus_of(written.obj)
                for fault in foreign_image(text(written.obj, "image"), *gpus, config) if gpus is not None else ():
                    yield fault.finding(RULE, (*written.path, *fault.place))
        return
    made = made_of(request, facts, config)
    for server in servers_of(made) if made is not None else ():
        gpus = gpus_of(server.container)
        for fault in foreign_image(text(server.container, "image"), *gpus, config) if gpus is not None else ():
            yield fault.finding(RULE, server.path(*fault.place))


RULE = Rule(
    id="OME-169",
    name="image-for-other-gpus",
    severity=Severity.WARNING,
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="vLLM docs/deployment/docker.md",
    reads=CLASS_READS,
    beside=SERVABLE.replace('"sglang:1"', '"docker.io/vllm/vllm-openai:v0.25.1", resources: {limits: {nvidia.com/gpu: 1}}', 1),
    check=_check,
    good='model: {name: llama}\nengine: {runner: {name: ome-container, image: "docker.io/vllm/vllm-openai:v0.24.0"}}',
    bad='model: {name: llama}\nengine: {runner: {name: ome-container, image: "docker.io/rocm/vllm:rocm7.0_vllm_0.11.0"}}',
)
