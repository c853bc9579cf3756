"""Warnings: what the API server says in ``Warning`` headers beside its answer.

Source: apiserver/pkg/endpoints/filters/warning.go and apiextensions-apiserver/pkg/registry/customresource/validator.go, 1.36.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from policies.go_text import quote
from policies.objects import JSONObject

_MAX_TOTAL: Final = 4096
_MAX_EACH: Final = 256
_STANDARD_FINALIZERS: Final = frozenset({"orphan", "foregroundDeletion", "kubernetes"})


def headers(texts: Iterable[str]) -> list[str]:
    """The texts that reach the client: each once, none with control characters, and cut short where all together are too long.

    Once they exceed 4,096 characters each is cut to 256, and what comes when those are used up is dropped.
    """
    distinct = [text for text in dict.fromkeys(texts) if text]
    sendable = [text for text in distinct if not any(unicodedata.category(char) == "Cc" for char in text)]
    if sum(map(len, sendable)) <= _MAX_TOTAL:
        return sendable
    kept: list[str] = []
    written = 0
    overflows_at = _first_overflow(sendable)
    for index, text in enumerate(sendable):
        # What came before the overflow is sent again, cut, whatever its length.
        if index > overflows_at and written >= _MAX_TOTAL:
            break
        kept.append(text[:_MAX_EACH])
        written += len(kept[-1])
    return kept


def _first_overflow(texts: list[str]) -> int:
    total = 0
    for index, text in enumerate(texts):
        total += len(text)
        if total > _MAX_TOTAL:
            return index
    return len(texts)


def finalizer_warnings(metadata: JSONObject, old: JSONObject | None) -> list[str]:
    """The advice on finalizers that `metadata` adds to those of `old`."""
    added = set(metadata.get("finalizers") or []) - set((old or {}).get("finalizers") or [])
    warnings = []
    for finalizer in sorted(added - _STANDARD_FINALIZERS):
        if "/" not in finalizer:
            how = " including a path (/)" if "." in finalizer else ""
            warnings.append(
                f"metadata.finalizers: {quote(finalizer)}: prefer a domain-qualified finalizer name{how} "
                "to avoid accidental conflicts with other finalizer writers"
            )
    return warnings


def duplicate_owners_warning(uids: Iterable[str], *, after_mutation: bool) -> str:
    """The warning that owner references were there twice and have been taken out."""
    when = " after mutating admission happens" if after_mutation else ""
    return (
        f".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in 1.20+, and may reject such "
        f"requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {', '.join(uids)}"
    )
