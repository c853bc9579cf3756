"""Tells which values of a decoded object its author didn't write: those that the CRD's defaults put there."""

from __future__ import annotations

from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.schema.node import MAX_DEPTH

#: What the API server fills in by itself, which is no default of a schema.
_NOT_OF_THE_SCHEMA = frozenset({"apiVersion", "kind", "metadata"})
#: No schema is followed so deep, so no default stands below.
_DEEPEST = 2 * MAX_DEPTH


def schema_defaults(given: JSONObject, decoded: JSONObject, kind: str) -> list[Provenance]:
    """One entry for each value that was added, its parts not told apart; `kind` names whose schema it was."""
    found: list[Provenance] = []
    own = {key: value for key, value in decoded.items() if key not in _NOT_OF_THE_SCHEMA}
    _added(given, own, (), f"default of the schema of {kind}", found)
    return found


def _added(given: JSONObject, decoded: JSONObject, path: Path, reason: str, found: list[Provenance]) -> None:
    for key, value in decoded.items():
        before = given.get(key)
        if before is None:
            # A null that was written has been dropped by now, so what stands there is the default.
            if value is not None:
                found.append(Provenance((*path, key), value, "CRD", reason))
        elif (type(value) is dict or type(value) is list) and len(path) < _DEEPEST:
            _below(before, value, (*path, key), reason, found)


def _below(given: JSONValue, value: JSONValue, path: Path, reason: str, found: list[Provenance]) -> None:
    if type(value) is dict:
        if type(given) is dict:
            _added(given, value, path, reason, found)
    elif type(value) is list and type(given) is list:
        for index, (before, after) in enumerate(zip(given, value, strict=False)):
            if (type(after) is dict or type(after) is list) and len(path) < _DEEPEST:
                _below(before, after, (*path, index), reason, found)
