"""Warnings: the texts that the API server sends in ``Warning`` headers with its answer.

Source: apiserver/pkg/endpoints/filters/warning.go and apiextensions-apiserver/pkg/registry/customresource/validator.go, 1.36.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.ground.objects import JSONObject

_MAX_TOTAL: Final = 4096
_MAX_EACH: Final = 256
_STANDARD_FINALIZERS: Final = frozenset({"orphan", "foregroundDeletion", "kubernetes"})


def headers(texts: Iterable[str]) -> list[str]:
    """The warnings of a request that reach the client: each once, and none with control characters.

    If they exceed 4,096 characters together, each is cut to 256, and those after the first 4,096 characters are dropped. Cutting isn't
    repeatable, so this comes last, for the warnings of `decode`, the webhooks and `validate` together.
    """
    recorded: list[str] = []
    sent: list[str] = []
    written = 0
    truncating = False
    for text in dict.fromkeys(filter(None, texts)):
        if truncating and written >= _MAX_TOTAL:
            break
        recorded.append(text)
        shown = text[:_MAX_EACH] if truncating else text
        if not _is_sendable(shown):
            continue
        if not truncating and written + len(shown) > _MAX_TOTAL:
            # All warnings so far are sent again, cut, whatever their total length. A control character may have been cut off.
            truncating = True
            sent = [cut for cut in (earlier[:_MAX_EACH] for earlier in recorded) if _is_sendable(cut)]
            written = sum(map(len, sent))
            continue
        sent.append(shown)
        written += len(shown)
    return sent


def _is_sendable(text: str) -> bool:
    return text.isprintable() or not any(unicodedata.category(char) == "Cc" for char in text)


def finalizer_warnings(metadata: JSONObject, old: JSONObject | None) -> list[str]:
    """The advice on finalizers that `metadata` adds to those of `old`."""
    added = set(metadata.get("finalizers") or []) - set((old or {}).get("finalizers") or [])
    return [wordings.unqualified_finalizer(finalizer) for finalizer in sorted(added - _STANDARD_FINALIZERS) if "/" not in finalizer]
