"""The image is built for a newer CUDA than the drivers of the GPU nodes support.

The engine dies when it starts, after a node has been made and the image pulled. The nodes' labels from GPU feature discovery tell
what their drivers support; a node without them isn't judged.

Source: LLMKube v0.9.19 internal/controller/driver_compat.go; upstream issue 1424.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.spelling import listed

#: The CUDA versions that tags of llama.cpp, vLLM and SGLang name: server-cuda13, cu129, cuda12.4.
_NAMED: Final = re.compile(r"(?<![a-z0-9])cu(?:da)?-?(\d\d)(?!\d\d\d)")
#: Images that don't say which CUDA they are for.
_UNNAMED: Final = (("vllm/vllm-openai:v0.25.1", 13), ("ggml-org/llama.cpp:server-cuda", 12), ("ggml-org/llama.cpp:full-cuda", 12))
_LABELS: Final = ("nvidia.com/cuda.runtime-version.major", "nvidia.com/cuda.runtime.major")


def _cuda_major(image: str) -> int:
    """The major version of CUDA that an image is built for; 0 where its name doesn't tell."""
    found = _NAMED.search(image.rpartition(":")[2])
    if found is not None:
        return int(found[1])
    return next((major for name, major in _UNNAMED if name in image), 0)


def _supported_major(labels: Mapping[str, str]) -> int:
    """The newest major version of CUDA that a node's driver supports, by its labels; 0 where they don't tell."""
    told = next((labels[label] for label in _LABELS if labels.get(label)), "")
    return int(told) if told.isdecimal() else 0


def _selected(serving: Serving, inventory: Inventory) -> list[Node]:
    """The nodes with the resource that the service's node selector leaves, of those that are alike only one."""
    resource, wanted = serving.gpus.resource, text_map(serving.spec, "nodeSelector")
    own = next((label for label in wanted if label in inventory.own.labels), "")
    nodes = (node for node in inventory.examples(label=own, resource=resource) if node.amounts.get(resource, 0) > 0)
    return [node for node in nodes if all(node.labels.get(key) == value for key, value in wanted.items())]


@services.warning(
    mirrors="condition DriverCompatible",
    reads=("Deployment.apps", "Model", "Node"),
    good="accepts-gpus-that-a-node-has-for-a-service",
    bad="warns-of-an-old-cuda-driver",
)
def check(serving: Serving, given: Given) -> Said:
    needed = _cuda_major(serving.image) if serving.pod_model is not None and serving.gpus.present and serving.gpus.vendor == "nvidia" else 0
    if not needed or given.facts.inventory is None:
        return
    old = [node for node in _selected(serving, given.facts.inventory) if 0 < _supported_major(node.labels) < needed]
    if old:
        names = listed([node.name for node in old])
        yield Violation(
            ("spec", "image"),
            f"{serving.image} needs CUDA {needed}, which the drivers of {names} don't support",
            found=f"CUDA {needed}",
            expected=f"at most CUDA {min(_supported_major(node.labels) for node in old)}",
            hint="use an image for an older CUDA, or select nodes with a newer driver",
        )
