"""In which version a server has a kind: its own word, group by group, before anything is listed.

Of the versions that can be read, the best that is served is taken. A kind that is served in other versions only isn't absent, but nothing
can be known of it. Source: Kubernetes API concepts, "API discovery" (the unaggregated form, which every server has).
"""

from __future__ import annotations

from typing import Protocol

from weighbridge.policies.facts.kinds import ReadKind
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError


class Discovery(Protocol):
    """The API server, as far as discovery needs it."""

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""


class UnknownVersionError(Exception):
    """The kind is there, but in no version that can be read; the message names those that are served."""


async def served(api: Discovery, kind: ReadKind) -> ReadKind | None:
    """The kind in the version to read it in; `None` where it isn't installed. Raises UnknownVersionError and APIError."""
    group = kind.gvk.group
    if not group:
        return kind
    others: list[str] = []
    try:
        offered = [text(entry, "version") for entry in items(await api.get(f"/apis/{group}"), "versions")]
        for version in _best_first(kind, offered):
            if await _has(api, f"/apis/{group}/{version}", kind.plural):
                if version in kind.versions:
                    return kind.in_version(version)
                others.append(version)
    except APIError as error:
        if error.status == 404:
            return None
        if error.status == 403:
            # Who may not discover may still list.
            return kind
        raise
    if others:
        raise UnknownVersionError(f"{kind.resource} is served as {', '.join(others)}, and only {', '.join(kind.versions)} can be read")
    return None


def _best_first(kind: ReadKind, offered: list[str]) -> list[str]:
    """The versions that can be read or, without any, the others: whether the kind is in one of these has still to be said."""
    return [version for version in kind.versions if version in offered] + [version for version in offered if version not in kind.versions]


async def _has(api: Discovery, path: str, plural: str) -> bool:
    return any(text(resource, "name") == plural for resource in items(await api.get(path), "resources"))
