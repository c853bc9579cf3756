"""LLMKube (inference.llmkube.dev): models and inference services on llama.cpp, vLLM, SGLang and others.

Upstream: https://github.com/defilantech/LLMKube, read at v0.9.19.
"""

from __future__ import annotations

from typing import Final

#: The API groups of LLMKube's kinds.
GROUPS: Final = ("federation.llmkube.dev", "foreman.llmkube.dev", "inference.llmkube.dev")
