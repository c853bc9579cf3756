"""The engine can't read an argument, or its image is built for other GPUs than the pod's.

Engines fail at a flag that they don't know, at a flag without its value, and at a word that belongs to no flag; the container then
restarts again and again. The rule knows the flags of one version of each engine; a newer image may have more, so the rule only warns. An
image for another vendor's GPUs finds no GPU. llama.cpp's plain `server` image, which llmaz's chart uses, computes on the CPU while the pod
holds the GPU: set `backendRuntimeConfig.version` to the tag for the GPU, such as `server-cuda`.

Source: llama.cpp, common/arg.cpp and docs/docker.md; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Servers, servers, text
from weighbridge.policies.families.serving_engines.faults import foreign_image, gpus_of, unreadable


@servers.warning(good="accepts-one-gpu-without-parallelism", bad="warns-of-a-flag-that-no-engine-has")
def check(servers: Servers, given: Given) -> Said:
    for server in servers:
        if server.started is not None:
            yield from map(server.violation, unreadable(server.started))
        if (gpus := gpus_of(server.container)) is not None:
            yield from map(server.violation, foreign_image(text(server.container, "image"), *gpus, given.config))
