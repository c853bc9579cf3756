"""Whose GPUs the images of engines compute on, by the names and tags that their projects publish.

A copy in another registry keeps the last two parts of its name. Sources: llama.cpp, docs/docker.md; vLLM, docs/deployment/docker.md;
SGLang, docs/platforms; text-generation-inference 3.3.7, docs/source/installation_*.md; ollama, docs/docker.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.pods.images import Reference

#: The builds, by the words of a tag, with the names that messages use.
_NVIDIA, _AMD, _INTEL = "nvidia", "amd", "intel"
_LLAMA_CPP: Final = expression(r"(?:server|full|light)(?:-([a-z]{2,})[0-9.]*)?(?:-b[0-9]+)?")
_BUILDS: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "": ("", frozenset()),
    "cuda": ("CUDA", frozenset({_NVIDIA})),
    "rocm": ("ROCm", frozenset({_AMD})),
    "intel": ("Intel's SYCL", frozenset({_INTEL})),
    "openvino": ("OpenVINO", frozenset({_INTEL})),
    "musa": ("MUSA", frozenset({"mthreads"})),
    "vulkan": ("Vulkan", frozenset({_NVIDIA, _AMD, _INTEL})),
}
#: For images whose tag names the build: patterns of the tag, of which the first match decides, and the build if none matches.
_TAGGED: Final[Sequence[tuple[re.Pattern[str], str]]] = (
    (expression(r"(?:^|[-_.])(?:rocm|mi\d{2,3}x?(?:$|[-_.]))"), "rocm"),
    (expression(r"(?:^|[-_.])(?:xpu|intel-xpu)"), "intel"),
    (expression(r"(?:^|[-_.])musa"), "musa"),
    (expression(r"(?:^|[-_.])(?:cpu|xeon|intel-cpu)(?:$|[-_.])"), ""),
    # Builds for devices that are no GPUs of these vendors.
    (expression(r"(?:^|[-_.])(?:gaudi|hpu|neuron|npu|cann|tpu|llamacpp|intel)(?:$|[-_.])"), "other"),
)
_BY_TAG: Final[frozenset[str]] = frozenset(
    {"vllm/vllm-openai", "lmsysorg/sglang", "huggingface/text-generation-inference", "ollama/ollama"}
)
_BY_NAME: Final[Mapping[str, str]] = {
    "vllm/vllm-openai-rocm": "rocm",
    "rocm/vllm": "rocm",
    "rocm/vllm-dev": "rocm",
    "lmsysorg/sglang-rocm": "rocm",
    "rocm/sgl-dev": "rocm",
    "rocm/llama.cpp": "rocm",
    "vllm/vllm-openai-cpu": "",
    "q9t5s3a7/vllm-cpu-release-repo": "",
    "vllm/vllm-openai-xpu": "intel",
    "intel/vllm": "intel",
    "nvidia/tritonserver": "cuda",
    "openmmlab/lmdeploy": "cuda",
}
_OF_LLAMA_CPP: Final = ("ggml-org/llama.cpp", "ggerganov/llama.cpp")


def build_of(image: str) -> tuple[str, frozenset[str]] | None:
    """The name of an image's build, and the vendors whose GPUs it computes on (empty for a CPU build); `None` if that isn't known."""
    reference = Reference.read(image)
    name = "/".join(reference.name.split("/")[-2:])
    if name in _BY_NAME:
        return _BUILDS[_BY_NAME[name]]
    if not reference.tag:
        return None
    if name in _OF_LLAMA_CPP:
        found = _LLAMA_CPP.fullmatch(reference.tag)
        return _BUILDS.get(found[1] or "") if found is not None else None
    if name not in _BY_TAG:
        return None
    return _BUILDS.get(next((build for words, build in _TAGGED if words.search(reference.tag.lower())), "cuda"))


def unusable_by(image: str, vendor: str) -> str:
    """Why an image doesn't compute on a vendor's GPU; empty if it does, or if that isn't known."""
    build = build_of(image)
    if build is None or not vendor or vendor.lower() in build[1]:
        return ""
    return f"is built for {build[0]}" if build[1] else "has no GPU backend"
