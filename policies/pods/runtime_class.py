"""The runtime class of a pod: the overhead, the node selector and the tolerations that it adds.

Source: Kubernetes v1.36, the admission plugin RuntimeClass.
"""

from __future__ import annotations

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods import wordings
from weighbridge.policies.pods.refusal import forbidden, missing
from weighbridge.policies.pods.requests import read_amounts

_GROUP, _KIND = "node.k8s.io", "RuntimeClass"


def runtime_class_of(pod: str, spec: JSONObject, store: ObjectStore, unchecked: list[str]) -> JSONValue:
    """The pod's class: empty if the pod names none, `None` (and a line in `unchecked`) if it isn't known.

    Raises `Refused` if the cluster has none with that name.
    """
    name = text(spec, "runtimeClassName")
    if spec.get("runtimeClassName") is None:
        return {}
    found = store.get(_GROUP, _KIND, "", name)
    if found is None:
        if store.knows_all(_GROUP, _KIND):
            raise missing(pod, wordings.no_runtime_class(name))
        unchecked.append(wordings.unknown_runtime_class(name))
    return found


def with_runtime_class(pod: str, spec: JSONObject, runtime: JSONValue) -> JSONObject:
    """The spec with what the class adds; raises `Refused` if the pod contradicts the class."""
    fixed = part(runtime, "overhead").get("podFixed")
    if part(runtime, "overhead"):
        own = part(spec, "overhead")
        if own and read_amounts(own) != read_amounts(fixed):
            raise forbidden(pod, wordings.OTHER_OVERHEAD)
        spec = {**spec, "overhead": fixed}
    wanted = part(runtime, "scheduling")
    if not wanted:
        return spec
    selector = text_map(spec, "nodeSelector")
    for key, value in text_map(wanted, "nodeSelector").items():
        if selector.setdefault(key, value) != value:
            raise forbidden(pod, wordings.other_node_selector(key, value, selector[key]))
    return {**spec, "nodeSelector": selector, "tolerations": [*items(spec, "tolerations"), *items(wanted, "tolerations")]}


def check_overhead(pod: str, spec: JSONObject, runtime: JSONValue) -> None:
    """Raise `Refused` for an overhead without a class that has it, unless the class isn't known."""
    if runtime is not None and not part(runtime, "overhead") and spec.get("overhead") is not None:
        raise forbidden(pod, wordings.OVERHEAD_WITHOUT_CLASS)
