"""The image is built for a newer CUDA than the drivers of the GPU nodes support.

The engine dies when it starts, after a node has been made and the image pulled. The nodes' labels from GPU feature discovery tell
what their drivers support; a node without them isn't judged.

Source: LLMKube v0.9.19 internal/controller/driver_compat.go; upstream issue 1424.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from policies.config import Configuration
from policies.facts import Facts, Inventory, Node
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.fields import text_map
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import listed

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


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    needed = _cuda_major(serving.image) if serving.pod_model is not None and serving.gpus.present and serving.gpus.vendor == "nvidia" else 0
    if not needed or facts.inventory is None:
        return
    old = [node for node in _selected(serving, facts.inventory) if 0 < _supported_major(node.labels) < needed]
    if old:
        names = listed([node.name for node in old])
        yield RULE.finding(
            ("spec", "image"),
            f"{serving.image} needs CUDA {needed}, which the drivers of {names} don't support",
            found=f"CUDA {needed}",
            expected=f"at most CUDA {min(_supported_major(node.labels) for node in old)}",
            hint="use an image for an older CUDA, or select nodes with a newer driver",
        )


RULE = Rule(
    id="LLMKUBE-060",
    name="cuda-driver-too-old",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/driver_compat.go",
    mirrors="condition DriverCompatible",
    reads=("Deployment.apps", "Model", "Node"),
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: Node\n"
        "metadata: {name: a100-1, labels: {nvidia.com/cuda.runtime-version.major: '12'}}\n"
        "status: {allocatable: {nvidia.com/gpu: '8', cpu: '32', memory: 256Gi, pods: '110'}}"
    ),
    check=_check,
    good="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server-cuda-b10068",
    bad="modelRef: gguf\nimage: ghcr.io/ggml-org/llama.cpp:server-cuda13-b10068",
)
