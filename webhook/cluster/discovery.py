"""Finds the version in which a server has a kind, by discovery, group by group, before anything is listed.

The best served version that can be read is used. A kind that is served only in other versions isn't missing, but its objects can't be
known. Source: Kubernetes API concepts, "API discovery" (the unaggregated form, which every server has).
"""

from __future__ import annotations

from typing import Protocol

from weighbridge.policies.facts.kinds import ReadKind
from weighbridge.policies.ground.fields import items, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError


class Discovery(Protocol):
    """The calls of the API server that discovery needs."""

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""


class UnknownVersionError(Exception):
    """The kind is served, but in no version that can be read; the message names the served ones."""


async def served(api: Discovery, kind: ReadKind) -> ReadKind | None:
    """The kind in the version that is read; `None` if it isn't installed. Raises UnknownVersionError and APIError."""
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
            # A user who may not use discovery may still list.
            return kind
        raise
    if others:
        raise UnknownVersionError(f"{kind.resource} is served as {', '.join(others)}, and only {', '.join(kind.versions)} can be read")
    return None


def _best_first(kind: ReadKind, offered: list[str]) -> list[str]:
    """The versions that can be read or, if there are none, the others, which may not have the kind."""
    return [version for version in kind.versions if version in offered] + [version for version in offered if version not in kind.versions]


async def _has(api: Discovery, path: str, plural: str) -> bool:
    return any(text(resource, "name") == plural for resource in items(await api.get(path), "resources"))
