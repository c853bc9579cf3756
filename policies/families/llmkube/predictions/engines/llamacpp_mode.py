"""The flags of llama.cpp for embeddings and for ranking.

They depend only on a written `mode`, not on an inferred one, and each is left out if the service's own arguments have it.
Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_args.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.predictions.engines.plan import ContainerPlan
from weighbridge.policies.families.llmkube.predictions.engines.serving_mode import EMBEDDING, RERANK
from weighbridge.policies.ground.fields import text

_FLAGS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    RERANK: (("--reranking",), ("--embedding",), ("--pooling", "rank")),
    EMBEDDING: (("--embedding",), ("--pooling", "last")),
}
#: The prompt cache would only grow: nothing reads it in these modes.
_NO_CACHE: Final = ("--cache-ram", "0")


def mode_flags(plan: ContainerPlan) -> None:
    """Add the flags of the service's mode; chat has none."""
    setup, mode = plan.setup, text(plan.setup.spec, "mode")
    flags = _FLAGS.get(mode, ())
    if flags and setup.operator.since(0, 9, 15):
        flags = (*flags, _NO_CACHE)
    for flag, *values in flags:
        if not setup.overrides(flag):
            plan.flag(flag, *values, source=setup.of_service("mode"), reason=f"mode {mode}")
