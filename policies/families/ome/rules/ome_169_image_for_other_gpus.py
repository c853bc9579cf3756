"""The image is built for other GPUs than the pod holds, or for none.

An image for ROCm finds no NVIDIA GPU, and the other way round: the engine fails at start, or computes on the CPU while the pod holds the
GPU. The rule knows the images that the engines' projects publish. It also knows them in a mirror that the configuration names
(`images.mirrors`) or that keeps the last two parts of their names. It judges a service as OME merges it with its runtime. Choose the image
for the pod's GPUs.

Source: llama.cpp, docs/docker.md; vLLM, SGLang and text-generation-inference, the tags of their images.
"""

from collections.abc import Sequence

from weighbridge.policies.families.ome.rulebook import Given, Said, StartedEngine, engines, text
from weighbridge.policies.families.serving_engines.faults import foreign_image, gpus_of


@engines.warning(good="accepts-an-image-for-cuda-on-nvidia", bad="warns-of-an-image-for-rocm-on-nvidia")
def check(containers: Sequence[StartedEngine], given: Given) -> Said:
    for one in containers:
        gpus = gpus_of(one.container)
        for fault in foreign_image(text(one.container, "image"), *gpus, given.config) if gpus is not None else ():
            yield fault.violation(one.path(*fault.place))
