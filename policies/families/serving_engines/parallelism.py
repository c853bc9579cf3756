"""The number of GPUs that an engine needs, by the sizes on its command line.

Tensor, pipeline, prefill context and data parallel sizes multiply; with SGLang's data parallel attention the copies share the GPUs of the
tensor parallel group. The number isn't known for an engine that is spread over several nodes, or for vLLM with copies or workers elsewhere.
Source: vLLM 0.25.1, vllm/config/parallel.py; SGLang 0.5.15, python/sglang/srt/server_args.py; text-generation-inference 3.3.7, launcher.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.serving_engines.command_line import CommandLine, GivenFlag
from weighbridge.policies.families.serving_engines.containers import Started
from weighbridge.policies.ground.records import dataclass

_SIZES: Final = ("tensor parallel", "pipeline parallel", "context parallel", "data parallel")
#: Engines that use one GPU unless sizes are given; the others use all GPUs of their pod, or as many as each model's configuration says.
_ONE: Final = ("vLLM", "SGLang")
#: The settings that spread an engine over more than its pod.
_ELSEWHERE: Final = ("nodes", "executor", "local copies", "copies backend", "rank", "headless")


@dataclass(frozen=True, slots=True)
class ParallelSizes:
    """The number of GPUs, in words the sizes whose product it is, and the last of these sizes on the command line."""

    gpus: int
    words: str
    last: GivenFlag


def parallel_sizes(line: CommandLine) -> ParallelSizes | None:
    """The number of GPUs that the engine needs; `None` if no size is given, or if its GPUs aren't known."""
    if any(line.final(meaning) is not None for meaning in _ELSEWHERE):
        return None
    shares = line.final("data parallel attention") is not None
    given: list[GivenFlag] = []
    gpus = 1
    for meaning in _SIZES:
        found, size = line.final(meaning), line.number(meaning)
        if found is None or (shares and meaning == "data parallel"):
            continue
        if size is None or size < 1:
            return None
        given.append(found)
        gpus *= size
    if not given:
        return None
    words = " with ".join(f"{found.written} {found.value}" for found in given)
    return ParallelSizes(gpus, words, max(given, key=lambda found: found.at))


def gpus_used(started: Started) -> int | None:
    """The number of GPUs that the engine computes on, however many its pod has; `None` if it uses all, or if that isn't known."""
    sizes = parallel_sizes(started.line)
    if sizes is not None:
        return sizes.gpus
    is_said = any(started.line.final(meaning) is not None for meaning in (*_SIZES, *_ELSEWHERE))
    if is_said or started.is_open or started.is_configured or started.engine not in _ONE:
        return None
    return 1
