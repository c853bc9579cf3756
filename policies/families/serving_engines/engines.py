"""Which engine a container starts, by its command and its image.

The names of images are those that the projects publish; a copy in another registry keeps the last two parts of its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from weighbridge.policies.families.serving_engines.flags import FlagTable, flag_table
from weighbridge.policies.pods.images import Reference

#: The engines whose flags are known, with the names of their data files.
_FILES: Final[Mapping[str, str]] = {"llama.cpp": "llama_cpp", "vLLM": "vllm", "SGLang": "sglang", "TGI": "tgi", "Triton": "triton"}


class _Tables(Mapping[str, FlagTable]):
    """The tables by engine, each read at its first use."""

    def __getitem__(self, engine: str) -> FlagTable:
        return _table(_FILES[engine])

    def __iter__(self) -> Iterator[str]:
        return iter(_FILES)

    def __len__(self) -> int:
        return len(_FILES)


_table = cache(flag_table)
TABLES: Final = _Tables()
#: Engines by the last two parts of the names of the images that their projects publish.
_PUBLISHED: Final[Mapping[str, str]] = {
    "ggml-org/llama.cpp": "llama.cpp",
    "ggerganov/llama.cpp": "llama.cpp",
    "vllm/vllm-openai": "vLLM",
    "vllm/vllm-openai-rocm": "vLLM",
    "rocm/vllm": "vLLM",
    "lmsysorg/sglang": "SGLang",
    "lmsysorg/sglang-rocm": "SGLang",
    "huggingface/text-generation-inference": "TGI",
    "ollama/ollama": "Ollama",
    "huggingface/text-embeddings-inference": "Text Embeddings Inference",
    "openmmlab/lmdeploy": "LMDeploy",
    "nvidia/tritonserver": "Triton",
}
#: The first words of the command that starts each engine; of a path only the last part is compared.
_STARTS: Final[Sequence[tuple[tuple[str, ...], str]]] = (
    (("llama-server",), "llama.cpp"),
    (("vllm", "serve"), "vLLM"),
    (("python", "-m", "vllm.entrypoints.openai.api_server"), "vLLM"),
    (("python3", "-m", "vllm.entrypoints.openai.api_server"), "vLLM"),
    (("sglang", "serve"), "SGLang"),
    (("python", "-m", "sglang.launch_server"), "SGLang"),
    (("python3", "-m", "sglang.launch_server"), "SGLang"),
    (("text-generation-launcher",), "TGI"),
    (("tritonserver",), "Triton"),
)


def published_engine(image: str) -> str:
    """The engine of an image that its project publishes; empty for any other image."""
    steps = Reference.read(image).name.split("/")
    return _PUBLISHED.get("/".join(steps[-2:]), "")


def is_foreign(engine: str, words: Sequence[str], image: str) -> bool:
    """Whether another program than the engine reads its command line: with `--omni` vLLM-Omni reads `vllm serve`. vLLM's own image lacks
    it, and vLLM fails there.
    """
    return engine == "vLLM" and "--omni" in words and published_engine(image) != engine


def started_by(command: Sequence[str]) -> tuple[str, int]:
    """The engine that a command starts, and the number of words that name it; empty and 0 if the command names none."""
    words = [command[0].rpartition("/")[2], *command[1:]] if command else []
    for start, engine in _STARTS:
        if tuple(words[: len(start)]) == start:
            return engine, len(start)
    return "", 0
