"""The image is built for other GPUs than the pod holds, or for none.

An image for ROCm finds no NVIDIA GPU, and the other way round: the engine ends at start, or computes on the CPU while the GPU is held.
Known are the images that the engines' projects publish, also from a mirror that the
configuration names (`images.mirrors`) or that keeps the last two steps of their names. Looked at is what
the merge of service and runtime gives.

Source: llama.cpp, docs/docker.md; vLLM, SGLang and text-generation-inference, the tags of their images.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.predictions.merge.created_objects import made_of
from weighbridge.policies.families.ome.predictions.merge.servers import servers_of
from weighbridge.policies.families.ome.rulebook import Given, Said, objects
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.serving_engines.faults import foreign_image, gpus_of
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("InferenceService", "ServingRuntime", "ClusterServingRuntime"),
    reads=CLASS_READS,
    good="accepts-an-image-for-the-gpu",
    bad="warns-of-an-image-for-rocm-on-nvidia",
)
def check(given: Given) -> Said:
    if given.kind != "InferenceService":
        for pod, path in pod_parts(given.object):
            for written in containers_of(pod, path):
                gpus = gpus_of(written.obj)
                for fault in foreign_image(text(written.obj, "image"), *gpus, given.config) if gpus is not None else ():
                    yield fault.violation((*written.path, *fault.place))
        return
    made = made_of(*given)
    for server in servers_of(made) if made is not None else ():
        gpus = gpus_of(server.container)
        for fault in foreign_image(text(server.container, "image"), *gpus, given.config) if gpus is not None else ():
            yield fault.violation(server.path(*fault.place))
