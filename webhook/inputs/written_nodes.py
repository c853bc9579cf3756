"""Finds what is wrong with a Node that was written by hand: values that no API server would have stored.

A snapshot of a cluster has none of these. In a file by hand, each would be left out in silence, and pods would be refused for lack of it.
Source: Kubernetes v1.36, pkg/apis/core/validation (`ValidateNode`, `validateNodeTaints`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup
from weighbridge.policies.ground.quantity import Quantity, QuantityError
from weighbridge.policies.ground.spelling import closest

_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
#: The fields that placement reads, each by the part of a node in which it is. A misspelt one would be ignored.
_READ: Final = {
    (): ("metadata", "spec", "status"),
    ("metadata",): ("name", "labels", "annotations"),
    ("spec",): ("taints", "unschedulable"),
    ("status",): ("allocatable", "capacity", "conditions"),
}
_AMOUNTS: Final = (("status", "allocatable"), ("status", "capacity"))


def node_mistakes(node: JSONObject) -> Iterator[tuple[Path, str]]:
    """Every wrong place in a Node, and what would be right."""
    for where, fields in _READ.items():
        yield from _misspelt(lookup(node, where) if where else node, where, fields)
    name = lookup(node, ("metadata", "name"))
    if (not isinstance(name, str) or not name) and isinstance(node.get("metadata", {}), dict):
        wrong = "a node needs a name" if name in (None, "") else f"{_shown(name)} isn't a text; put the name in quotes"
        yield ("metadata", "name"), wrong
    labels = lookup(node, ("metadata", "labels"))
    if labels is not None and not isinstance(labels, dict):
        yield ("metadata", "labels"), "must be a map of labels to their values"
    for path in _AMOUNTS:
        yield from _of_amounts(lookup(node, path), path)
    yield from _of_taints(lookup(node, ("spec", "taints")))
    unschedulable = lookup(node, ("spec", "unschedulable"))
    if unschedulable is not None and not isinstance(unschedulable, bool):
        yield ("spec", "unschedulable"), f"must be true or false, not {_shown(unschedulable)}"


def _misspelt(part: JSONValue, where: Path, fields: Collection[str]) -> Iterator[tuple[Path, str]]:
    """Fields that are nearly one of these, which is missing. Other unknown fields may come from a newer Kubernetes."""
    if part is None:
        return
    if not isinstance(part, dict):
        yield where, f"must be a map with {', '.join(fields)}"
        return
    for key in part.keys() - set(fields) - _OTHERS:
        near = closest(str(key), [field for field in fields if field not in part])
        if near:
            yield (*where, key), f"unknown field; did you mean {near}?"


#: Other fields of these parts, which placement doesn't need.
_OTHERS: Final = frozenset(
    {
        *("apiVersion", "kind", "creationTimestamp", "deletionTimestamp", "finalizers", "generation", "managedFields", "ownerReferences"),
        *("resourceVersion", "selfLink", "uid", "configSource", "externalID", "podCIDR", "podCIDRs", "providerID", "addresses", "config"),
        *("daemonEndpoints", "declaredFeatures", "features", "images", "nodeInfo", "phase", "runtimeHandlers", "volumesAttached"),
        "volumesInUse",
    }
)


def _of_amounts(amounts: JSONValue, path: Path) -> Iterator[tuple[Path, str]]:
    if amounts is None:
        return
    if not isinstance(amounts, dict):
        yield path, "must be a map of resources to amounts, such as {cpu: '8', nvidia.com/gpu: '4'}"
        return
    for resource, amount in amounts.items():
        try:
            is_negative = Quantity.parse(str(amount)).value() < 0
        except QuantityError:
            yield (*path, resource), f"{_shown(amount)} isn't an amount; write one such as 8, 500m or 64Gi"
            continue
        if is_negative:
            yield (*path, resource), f"must be 0 or more, not {amount}"


def _of_taints(taints: JSONValue) -> Iterator[tuple[Path, str]]:
    path: Path = ("spec", "taints")
    if taints is None:
        return
    if not isinstance(taints, list):
        yield path, "must be a list of taints, each with key and effect"
        return
    for index, taint in enumerate(taints):
        if not isinstance(taint, dict):
            yield (*path, index), "must be a map with key and effect"
            continue
        if not isinstance(taint.get("key"), str) or not taint["key"]:
            yield (*path, index, "key"), "a taint needs a key"
        if (effect := taint.get("effect")) not in _EFFECTS:
            near = closest(str(effect), _EFFECTS)
            yield (
                (*path, index, "effect"),
                f"{_shown(effect)} isn't an effect; " + (f"did you mean {near}?" if near else f"write {_written()}"),
            )


def _shown(value: JSONValue) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _written() -> str:
    return f"{', '.join(_EFFECTS[:-1])} or {_EFFECTS[-1]}"
