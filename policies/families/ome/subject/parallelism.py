"""The number of GPUs that the sizes on a command line need together, and the number that a container gets.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.families.serving_engines.containers import words_of
from weighbridge.policies.ground.fields import amounts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

#: The flags of the sizes.
TENSOR: Final = ("--tp-size", "--tp", "--tensor-parallel-size")
PIPELINE: Final = ("--pp-size", "--pp", "--pipeline-parallel-size")
#: Flags with which the tensor parallel group isn't all that the container runs, or is spread over several nodes.
_ELSEWHERE: Final = ("--nnodes", "--dist-init-addr", "--data-parallel-size", "--dp", "--dp-size")
_GPU: Final = ("nvidia.com/gpu", "amd.com/gpu")


@dataclass(frozen=True, slots=True)
class GpuDemand:
    """The number of GPUs that a command line needs, and its sizes in words."""

    gpus: int
    words: str


def world_of(container: JSONObject) -> GpuDemand | None:
    """The GPUs that a container's command line needs; `None` if it has no sizes, or if they don't determine its own GPUs."""
    words = words_of(container)
    if any(word.partition("=")[0] in _ELSEWHERE for word in words):
        return None
    sizes = [found for names in (TENSOR, PIPELINE) if (found := _size(words, names)) is not None]
    if not sizes:
        return None
    gpus = 1
    for _, size in sizes:
        gpus *= size
    return GpuDemand(gpus, " with ".join(f"{flag} {size}" for flag, size in sizes))


def gpus_of(container: JSONObject) -> tuple[str, int] | None:
    """The GPUs that a container requests, with their resource; `None` if it requests none."""
    asked = amounts(container, "resources", "requests") | amounts(container, "resources", "limits")
    return next(((name, asked[name].value()) for name in _GPU if name in asked), None)


def _size(words: Sequence[str], names: Sequence[str]) -> tuple[str, int] | None:
    """The last value of one of these flags, with the flag."""
    found = None
    for index, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if flag in names:
            given = value if equals else words[index + 1] if index + 1 < len(words) else ""
            if given.isdigit() and int(given) > 0:
                found = (flag, int(given))
    return found
