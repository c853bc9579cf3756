"""The image is built for a newer CUDA than the drivers of the GPU nodes support.

The engine fails at start, after the node was created and the image pulled. The labels of GPU feature discovery state what the
nodes' drivers support; the rule doesn't judge a node without them.

Source: LLMKube v0.9.19, internal/controller/driver_compat.go; upstream issue 1424.
"""

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, listed, text_map, with_model
from weighbridge.policies.ground.expressions import expression

#: The CUDA versions that tags of llama.cpp, vLLM and SGLang name: server-cuda13, cu129, cuda12.4.
_NAMED: Final = expression(r"(?<![a-z0-9])cu(?:da)?-?(\d\d)(?!\d\d\d)")
#: Images whose names don't say which CUDA they are built for.
_UNNAMED: Final = (("vllm/vllm-openai:v0.25.1", 13), ("ggml-org/llama.cpp:server-cuda", 12), ("ggml-org/llama.cpp:full-cuda", 12))
_LABELS: Final = ("nvidia.com/cuda.runtime-version.major", "nvidia.com/cuda.runtime.major")


@with_model.warning(
    topic="Services: images",
    mirrors="condition DriverCompatible",
    reads=("Deployment.apps", "Model", "Node"),
    good="accepts-gpus-that-a-node-has-for-a-service",
    bad="warns-of-an-old-cuda-driver",
)
def check(service: Service) -> Said:
    gpus, inventory = service.gpus, service.facts.inventory
    needed = _cuda_major(service.image) if gpus.present and gpus.vendor == "nvidia" else 0
    if not needed or inventory is None:
        return
    old = [node for node in _selected(service, inventory) if 0 < _supported_major(node.labels) < needed]
    if old:
        yield Violation(
            ("spec", "image"),
            f"{service.image} needs CUDA {needed}, which the drivers of {listed([node.name for node in old])} don't support",
            found=f"CUDA {needed}",
            expected=f"at most CUDA {min(_supported_major(node.labels) for node in old)}",
            hint="use an image for an older CUDA, or select nodes with a newer driver",
        )


def _cuda_major(image: str) -> int:
    """The major version of CUDA that an image is built for; 0 if its name doesn't say."""
    found = _NAMED.search(image.rpartition(":")[2])
    if found is not None:
        return int(found[1])
    return next((major for name, major in _UNNAMED if name in image), 0)


def _supported_major(labels: Mapping[str, str]) -> int:
    """The newest major version of CUDA that a node's driver supports, by its labels; 0 if they don't say."""
    major = next((labels[label] for label in _LABELS if labels.get(label)), "")
    return int(major) if major.isdecimal() else 0


def _selected(service: Service, inventory: Inventory) -> list[Node]:
    """The nodes that have the resource and match the service's node selector; of nodes that are alike only one."""
    resource, wanted = service.gpus.resource, text_map(service.spec, "nodeSelector")
    own = next((label for label in wanted if label in inventory.own.labels), "")
    nodes = (node for node in inventory.examples(label=own, resource=resource) if node.amounts.get(resource, 0) > 0)
    return [node for node in nodes if all(node.labels.get(key) == value for key, value in wanted.items())]
