"""The priority of a pod: before which pods it is scheduled, and whether it may preempt them.

Source: Kubernetes v1.36, the admission plugin Priority.
"""

from __future__ import annotations

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import text, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods import wordings
from weighbridge.policies.pods.refusal import forbidden, missing

_GROUP, _KIND = "scheduling.k8s.io", "PriorityClass"
_DEFAULT_POLICY = "PreemptLowerPriority"
#: Classes that the API server creates itself.
_BUILT_IN = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}


@dataclass(frozen=True, slots=True)
class Priority:
    """A pod's priority, and its `preemptionPolicy`."""

    value: int
    policy: str


def priority_of(pod: str, spec: JSONObject, store: ObjectStore, unchecked: list[str]) -> Priority:
    """The pod's priority and `preemptionPolicy`, its own or its class's; what isn't known is added to `unchecked`.

    Raises `Refused` if the class doesn't exist or the pod contradicts it.
    """
    name, own = text(spec, "priorityClassName"), text(spec, "preemptionPolicy")
    known = store.knows_all(_GROUP, _KIND)
    found = find_class(name, store)
    if found is None:
        if known:
            raise missing(pod, wordings.no_priority_class(name))
        unchecked.append(wordings.unknown_priority_class(name))
        return Priority(whole(spec, "priority"), own or _DEFAULT_POLICY)
    value, policy = whole(found, "value"), text(found, "preemptionPolicy") or _DEFAULT_POLICY
    given = spec.get("priority")
    if (known or name) and given is not None and given != value:
        raise forbidden(pod, wordings.other_priority(given, value))
    if own and own != policy:
        raise forbidden(pod, wordings.other_preemption_policy(own, policy))
    return Priority(value if known or name or not isinstance(given, int) else given, policy)


def find_class(name: str, store: ObjectStore) -> JSONValue:
    """The class with a name, or the default class without a name; `None` if there is none."""
    if name:
        found = store.get(_GROUP, _KIND, "", name)
        return {"value": _BUILT_IN[name]} if found is None and name in _BUILT_IN else found
    defaults = [found for found in store.list(_GROUP, _KIND) if found.get("globalDefault") is True]
    return min(defaults, key=lambda found: whole(found, "value"), default={})
