"""Objects of built-in kinds as far as they are known: the server fills in more than their authors write.

A field that isn't written may have a default, so an expression that looks for one can't be evaluated. Maps whose keys are the author's are
known in full, and quantities are as the server prints them.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.values import PartialMap
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: Fields whose maps have keys of the author, to which the server adds none.
_FREE: Final = frozenset({
    "labels", "annotations", "matchLabels", "nodeSelector", "selector", "data", "stringData", "binaryData", "parameters",
})  # fmt: skip
#: Fields whose maps have quantities.
_QUANTITIES: Final = frozenset({
    "limits", "requests", "capacity", "allocatable", "hard", "used", "overhead", "default", "defaultRequest", "max", "min",
    "maxLimitRequestRatio",
})  # fmt: skip
#: Kinds that the server stores as they are written.
_WHOLE: Final = frozenset({"ConfigMap", "Namespace", "Role", "ClusterRole", "ServiceAccount", "PriorityClass"})
_REASON: Final = "a field that the server may fill in"


def as_known(obj: JSONValue) -> JSONValue:
    """An object with marks of what the server may add; anything else as it is."""
    if not isinstance(obj, dict) or obj.get("kind") in _WHOLE:
        return obj
    known = {key: value if key == "metadata" else _known(value, key) for key, value in obj.items() if value is not None}
    return PartialMap(known, _REASON)


def _known(value: JSONValue, name: str) -> JSONValue:
    if isinstance(value, list):
        return [_known(one, name) for one in value]
    if not isinstance(value, dict):
        return value
    if name in _QUANTITIES and all(amount(one) is not None for one in value.values()):
        return _canonical(value)
    if name in _FREE and all(isinstance(one, str) for one in value.values()):
        return value
    return PartialMap({key: _known(one, key) for key, one in value.items() if one is not None}, _REASON)


def _canonical(amounts: JSONObject) -> JSONObject:
    """A map of quantities as they print."""
    return {name: found.canonical() for name, one in amounts.items() if (found := amount(one)) is not None}
