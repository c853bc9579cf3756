"""Tells which values of a decoded object its author didn't write: those that the CRD's defaults put there."""

from __future__ import annotations

from collections.abc import Iterator

from policies.findings import Provenance
from policies.objects import JSONObject, JSONValue, Path

#: What the API server fills in by itself, which is no default of a schema.
_NOT_OF_THE_SCHEMA = frozenset({"apiVersion", "kind", "metadata"})


def schema_defaults(given: JSONObject, decoded: JSONObject, kind: str) -> Iterator[Provenance]:
    """One entry for each value that was added, its parts not told apart; `kind` names whose schema it was."""
    reason = f"default of the schema of {kind}"
    for key, value in decoded.items():
        if key not in _NOT_OF_THE_SCHEMA:
            yield from _added(given, key, value, (key,), reason)


def _added(parent: JSONObject, key: str, value: JSONValue, path: Path, reason: str) -> Iterator[Provenance]:
    # A null that was written has been dropped by now, so what stands there is the default.
    if parent.get(key) is None:
        if value is not None:
            yield Provenance(path, value, "CRD", reason)
    else:
        yield from _below(parent[key], value, path, reason)


def _below(given: JSONValue, value: JSONValue, path: Path, reason: str) -> Iterator[Provenance]:
    if isinstance(value, dict) and isinstance(given, dict):
        for key, inner in value.items():
            yield from _added(given, key, inner, (*path, key), reason)
    elif isinstance(value, list) and isinstance(given, list):
        for index, (before, after) in enumerate(zip(given, value, strict=False)):
            yield from _below(before, after, (*path, index), reason)
