"""The engine can't read an argument, or its image is built for other GPUs than the pod holds.

Engines stop at a flag that they don't know, at one without its value, and at a word that belongs to no flag; the container then restarts
for good. Flags are looked up in the engine's own list, of the version that is named; a newer image may have more, so this only warns. An
image for another vendor's GPUs finds none, and llama.cpp's plain `server` image, which llmaz's chart takes, computes on the CPU while the
GPU is held: give `backendRuntimeConfig.version` the tag for the GPU, such as `server-cuda`.

Source: llama.cpp, common/arg.cpp and docs/docker.md; vLLM 0.25.1; SGLang 0.5.15; text-generation-inference 3.3.7.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmaz.predictions.servers import servers_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, objects
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.serving_engines.faults import foreign_image, gpus_of, unreadable
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("Playground", "Service"),
    reads=CLAIM_READS,
    good="accepts-one-gpu-without-parallelism",
    bad="warns-of-a-flag-that-no-engine-has",
)
def check(given: Given) -> Said:
    for server in servers_of(*given):
        gpus = gpus_of(server.container)
        faults = [*unreadable(server.started)] if server.started is not None else []
        faults += foreign_image(text(server.container, "image"), *gpus, given.config) if gpus is not None else ()
        for fault in faults:
            yield replace(fault, message=fault.message + server.whose).violation(server.path(*fault.place))
