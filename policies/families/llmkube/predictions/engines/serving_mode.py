"""What a service is for: chat, embeddings or ranking.

If `mode` is left open, the operator infers it from the service's flags and path.
Source: LLMKube v0.9.19, internal/controller/runtime_args.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.fields import part, text, texts
from weighbridge.policies.ground.objects import JSONObject

CHAT: Final = "chat"
EMBEDDING: Final = "embedding"
RERANK: Final = "rerank"


def serving_mode(spec: JSONObject) -> str:
    """The mode of a service by its spec, as `status.mode` has it."""
    mode = text(spec, "mode")
    if mode:
        return mode
    flags = {arg.partition("=")[0] for arg in (*texts(spec, "extraArgs"), *texts(spec, "args"))}
    path = text(part(spec, "endpoint"), "path")
    if "--reranking" in flags:
        return RERANK
    if flags & {"--embedding", "--embeddings"}:
        return EMBEDDING
    if "/rerank" in path:
        return RERANK
    return EMBEDDING if "/embeddings" in path else CHAT
