"""Finds the values of a decoded object that come from the CRD's defaults and not from its author."""

from __future__ import annotations

from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.schema.node import MAX_DEPTH

#: The API server fills these in by itself. They aren't defaults of a schema.
_NOT_OF_THE_SCHEMA = frozenset({"apiVersion", "kind", "metadata"})
#: No default is deeper, since schemas aren't followed so deep.
_DEEPEST = 2 * MAX_DEPTH


def schema_defaults(given: JSONObject, decoded: JSONObject, kind: str) -> list[Provenance]:
    """One entry for each added value, not for its parts. `kind` names the kind with the schema."""
    found: list[Provenance] = []
    own = {key: value for key, value in decoded.items() if key not in _NOT_OF_THE_SCHEMA}
    _added(given, own, (), f"default of the schema of {kind}", found)
    return found


def _added(given: JSONObject, decoded: JSONObject, path: Path, reason: str, found: list[Provenance]) -> None:
    for key, value in decoded.items():
        before = given.get(key)
        if before is None:
            # Decoding has dropped the author's null, so the value is the default.
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
