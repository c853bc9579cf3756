"""A pod's total requests, per resource: init containers, sidecars, pod-level resources and overhead together.

Source: Kubernetes v1.36, component-helpers/resource (`PodRequests`) and the defaults of core/v1; KEP-753 (sidecars), KEP-2837 (pod-level
resources). Sums are exact; the API server reads every amount rounded up to a thousandth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from weighbridge.policies.facts.node import counted
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.memory import once_a_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.quantity import Quantity, QuantityError
from weighbridge.policies.ground.server_release import release

#: Amounts by resource name.
Amounts: TypeAlias = dict[str, Quantity]

MAX_COUNT = 2**63 - 1
_MAX_WHOLE, _MAX_CPU = Quantity.from_int(MAX_COUNT), Quantity.parse(f"{MAX_COUNT}m")
#: The resources that the scheduler checks before all others, which have no order.
_FIRST = ("cpu", "memory", "ephemeral-storage")
_HUGEPAGES = "hugepages-"


def containers(spec: JSONObject) -> list[tuple[str, int, JSONObject]]:
    """The containers and init containers of a pod: for each the name of its list, its index there, and the container."""
    return [(kind, index, held) for kind in ("initContainers", "containers") for index, held in enumerate(items(spec, kind))]


@once_a_text(4096)
def read_amount(text: str) -> Quantity:
    """An amount as the API server keeps it, rounded up to a thousandth; raises `QuantityError`."""
    amount = Quantity.parse(text)
    thousandths = amount.milli_value()
    if abs(thousandths) >= MAX_COUNT:
        return amount
    rounded = Quantity.parse(f"{thousandths}m")
    return amount if rounded == amount else rounded


def read_amounts(value: JSONValue) -> Amounts:
    """The amounts of a resource list; values that aren't quantities are left out."""
    amounts: Amounts = {}
    for name, amount in value.items() if isinstance(value, dict) else ():
        if isinstance(amount, (str, int, float)):
            try:
                amounts[name] = read_amount(str(amount))
            except QuantityError:
                continue
    return amounts


def with_limits_requested(container: JSONObject) -> JSONObject:
    """The container with each limit as a request too, if it has no such request."""
    limits, requests = part(container, "resources", "limits"), part(container, "resources", "requests")
    if not limits.keys() - requests.keys():
        return container
    return {**container, "resources": {**container["resources"], "requests": {**limits, **requests}}}


def is_pod_level(resource: str) -> bool:
    """Whether a resource can be requested at pod level."""
    return resource in ("cpu", "memory") or resource.startswith(_HUGEPAGES)


def is_sidecar(container: JSONObject) -> bool:
    """Whether an init container keeps running with the others."""
    return container.get("restartPolicy") == "Always"


def aggregate(spec: JSONObject, kind: str = "requests") -> Amounts:
    """The most that the containers request together at one time; with the kind `limits`, the most that they may use.

    Sidecars add to the containers, and to every init container that starts after them.
    """
    total: Amounts = {}
    for container in items(spec, "containers"):
        _add(total, read_amounts(part(container, "resources", kind)))
    sidecars: Amounts = {}
    most: Amounts = {}
    for container in items(spec, "initContainers"):
        amounts = read_amounts(part(container, "resources", kind))
        if is_sidecar(container):
            _add(total, amounts)
            _add(sidecars, amounts)
            amounts = sidecars
        else:
            _add(amounts, sidecars)
        _raise(most, amounts)
    _raise(total, most)
    return total


def with_pod_level_defaults(spec: JSONObject) -> JSONObject:
    """The spec with the pod-level requests and hugepage limits that the API server fills in if pod-level limits are set.

    From 1.37 on pod-level requests are enough for that, and limits are filled in if all containers have them.
    """
    resources = part(spec, "resources")
    limits, requests = part(resources, "limits"), part(resources, "requests")
    if not limits and not requests:
        return spec
    for name, amount in aggregate(spec, "limits").items():
        if name.startswith(_HUGEPAGES) and name not in requests and name not in limits:
            limits = {**limits, name: str(amount)}
    if limits or release().defaults_pods_last:
        asked = {name: str(amount) for name, amount in aggregate(spec).items() if name in ("cpu", "memory")}
        at_limit = {name: amount for name, amount in limits.items() if is_pod_level(name)}
        requests = {**at_limit, **asked, **requests}
    if release().defaults_pods_last:
        limits = {**_limits_of_all(spec, requests), **limits}
    return {**spec, "resources": {**resources, "limits": limits, "requests": requests}}


def _limits_of_all(spec: JSONObject, requests: JSONObject) -> JSONObject:
    """The sum of the containers' limits, for each pod-level request for which all have a limit; at least the request."""
    bounded = [part(container, "resources", "limits").keys() for _, _, container in containers(spec)]
    together, asked = aggregate(spec, "limits"), read_amounts(requests)
    found: JSONObject = {}
    for name in requests:
        if is_pod_level(name) and name in together and all(name in names for names in bounded):
            most = together[name]
            found[name] = str(asked[name]) if name in asked and asked[name].compare(most) > 0 else str(most)
    return found


def of_pod(spec: JSONObject, kind: str = "requests") -> Amounts:
    """The total requests, or with the kind `limits` the total limits, of a pod that the API server has filled in; without overhead."""
    total = aggregate(spec, kind)
    total |= {name: amount for name, amount in read_amounts(part(spec, "resources", kind)).items() if is_pod_level(name)}
    return total


def effective(spec: JSONObject) -> Amounts:
    """The amounts that a node must have for a pod that the API server has filled in."""
    total = of_pod(spec)
    _add(total, read_amounts(part(spec, "overhead")))
    return total


def counts(amounts: Mapping[str, Quantity]) -> dict[str, int]:
    """Amounts as the scheduler counts them, in its order and without zeros; an amount that it can't count is more than any node has."""
    beyond = uncountable(amounts)
    names = [*(name for name in _FIRST if name in amounts), *sorted(amounts.keys() - _FIRST)]
    return {name: MAX_COUNT + 1 if name in beyond else counted(name, amounts[name]) for name in names if amounts[name].sign() > 0}


def uncountable(amounts: Mapping[str, Quantity]) -> Iterable[str]:
    """The resources with requests of more than 64 bits, at which the scheduler overflows and lets the pod pass."""
    return [name for name, amount in amounts.items() if amount.compare(_MAX_CPU if name == "cpu" else _MAX_WHOLE) > 0]


def _add(total: Amounts, amounts: Mapping[str, Quantity]) -> None:
    for name, amount in amounts.items():
        total[name] = _sum(total[name], amount) if name in total else amount


def _sum(left: Quantity, right: Quantity) -> Quantity:
    try:
        return left.add(right)
    except QuantityError:
        # The two differ by thousands of digits: no node can have the larger one, and the smaller one doesn't matter.
        return left if left.compare(right) > 0 else right


def _raise(most: Amounts, amounts: Mapping[str, Quantity]) -> None:
    for name, amount in amounts.items():
        if name not in most or most[name].compare(amount) < 0:
            most[name] = amount
