"""Removes duplicate owner references, with a warning.

Source: apiserver/pkg/endpoints/handlers/rest.go, 1.36.
"""

from __future__ import annotations

from weighbridge.policies.apiserver.wordings import duplicate_owners
from weighbridge.policies.ground.objects import JSONObject


def drop_duplicate_owners(metadata: JSONObject, *, after_mutation: bool) -> list[str]:
    """Keep the first of equal owner references, in place. Returns the warning if there were duplicates."""
    references = metadata.get("ownerReferences") or []
    kept: list[JSONObject] = []
    dropped: list[str] = []
    for reference in references:
        if reference in kept:
            dropped.append(reference["uid"])
        else:
            kept.append(reference)
    if not dropped:
        return []
    metadata["ownerReferences"] = kept
    return [duplicate_owners(dropped, after_mutation=after_mutation)]
