"""LimitRanges: the defaults of a namespace for requests and limits of containers, and the amounts that it allows.

If a namespace's limit ranges aren't known, none is assumed. Source: Kubernetes v1.36, plugin/pkg/admission/limitranger; defaults of a
LimitRange itself, pkg/apis/core/v1/defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import amounts, items, part, text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods import wordings
from weighbridge.policies.pods.refusal import forbidden
from weighbridge.policies.pods.requests import Amounts, containers, of_pod, read_amounts

_LIMIT_RANGES = ("", "LimitRange")
_CONTAINER, _POD = "Container", "Pod"
_KINDS = ("initContainers", "containers")
_ZERO: Final = Quantity.from_int(0)
#: The largest amount that is counted in thousandths.
_MAX_MILLI: Final = (2**63 - 1) // 1000


@dataclass(frozen=True, slots=True)
class _Limit:
    """One entry of a LimitRange; `default` has the limits and `default_request` the requests of containers that have none."""

    type: str
    least: Amounts
    most: Amounts
    ratio: Amounts
    default: Amounts
    default_request: Amounts


def limits_of(namespace: str, store: ObjectStore) -> Sequence[Sequence[_Limit]]:
    """The entries of each LimitRange of a namespace, sorted by name, since the server has no order.

    They are read once, until a LimitRange changes.
    """
    return store.once((_LIMIT_RANGES,), (limits_of, namespace), lambda: _all_of(namespace, store))


def _all_of(namespace: str, store: ObjectStore) -> Sequence[Sequence[_Limit]]:
    ranges = sorted(store.list(*_LIMIT_RANGES, namespace), key=name_of)
    return [[_read(entry) for entry in items(found, "spec", "limits")] for found in ranges]


def _read(entry: JSONObject) -> _Limit:
    least, most = amounts(entry, "min"), amounts(entry, "max")
    default, request = amounts(entry, "default"), amounts(entry, "defaultRequest")
    if text(entry, "type") == _CONTAINER:
        default = {**most, **default}
        request = {**least, **default, **request}
    return _Limit(text(entry, "type"), least, most, amounts(entry, "maxLimitRequestRatio"), default, request)


def with_defaults(spec: JSONObject, ranges: Sequence[Sequence[_Limit]]) -> JSONObject:
    """The spec of a pod with the defaults of the limit ranges, container by container."""
    for limit in (limit for found in ranges for limit in found if limit.type == _CONTAINER):
        filled = {kind: [_filled(container, limit) for container in items(spec, kind)] for kind in _KINDS if kind in spec}
        spec = {**spec, **filled}
    return spec


def _filled(container: JSONObject, limit: _Limit) -> JSONObject:
    resources = part(container, "resources")
    limits = {**{name: str(amount) for name, amount in limit.default.items()}, **part(resources, "limits")}
    requests = {**{name: str(amount) for name, amount in limit.default_request.items()}, **part(resources, "requests")}
    return {**container, "resources": {**resources, "limits": limits, "requests": requests}}


def check_limits(name: str, spec: JSONObject, ranges: Sequence[Sequence[_Limit]]) -> None:
    """Raise `Refused` if a limit range refuses a pod, with all errors of the first such range."""
    for found in ranges:
        errors = list(dict.fromkeys(error for limit in found for error in _errors(spec, limit)))
        if errors:
            raise forbidden(name, wordings.several(errors))


def _errors(spec: JSONObject, limit: _Limit) -> Iterator[str]:
    if limit.type == _CONTAINER:
        for _, _, container in containers(spec):
            resources = part(container, "resources")
            yield from _held_against(limit, read_amounts(part(resources, "requests")), read_amounts(part(resources, "limits")))
    elif limit.type == _POD:
        yield from _held_against(limit, of_pod(spec, "requests"), of_pod(spec, "limits"))


def _held_against(limit: _Limit, requests: Amounts, limits: Amounts) -> Iterator[str]:
    for name, least in sorted(limit.least.items()):
        yield from _too_little(wordings.minimum(name, limit.type, least), least, requests.get(name), limits.get(name))
    for name, most in sorted(limit.most.items()):
        yield from _too_much(wordings.maximum(name, limit.type, most), most, requests.get(name), limits.get(name))
    for name, ratio in sorted(limit.ratio.items()):
        rule = wordings.greatest_ratio(name, limit.type, ratio)
        yield from _too_far_apart(rule, ratio, requests.get(name), limits.get(name))


def _too_little(rule: str, least: Quantity, request: Quantity | None, limit: Quantity | None) -> Iterator[str]:
    requested, limited, bound = _counted(request, limit, least)
    if request is None:
        yield wordings.no_request(rule)
    elif requested < bound:
        yield wordings.wrong_request(rule, request)
    elif limit is not None and limited < bound:
        yield wordings.wrong_limit(rule, limit)


def _too_much(rule: str, most: Quantity, request: Quantity | None, limit: Quantity | None) -> Iterator[str]:
    requested, limited, bound = _counted(request, limit, most)
    if limit is None:
        yield wordings.no_limit(rule)
    elif limited > bound:
        yield wordings.wrong_limit(rule, limit)
    elif request is not None and requested > bound:
        yield wordings.wrong_request(rule, request)


def _too_far_apart(rule: str, ratio: Quantity, request: Quantity | None, limit: Quantity | None) -> Iterator[str]:
    requested, limited, _ = _counted(request, limit, ratio)
    if not requested:
        yield wordings.ratio_without_request(rule)
    elif not limited:
        yield wordings.ratio_without_limit(rule)
    else:
        # NB: the order of the operations matters, since each rounds: 2.1 divided by 0.7 is more than 3.
        found = limited / requested
        is_fine = ratio.value() <= _MAX_MILLI
        if (found * 1000 if is_fine else found) > float(ratio.milli_value() if is_fine else ratio.value()):
            yield wordings.wrong_ratio(rule, found)


def _counted(request: Quantity | None, limit: Quantity | None, bound: Quantity) -> Sequence[int]:
    """The three amounts as they are compared: in thousandths if all of them are small enough, else in whole units; a missing one is 0."""
    amounts = [_ZERO if amount is None else amount for amount in (request, limit, bound)]
    whole = [amount.value() for amount in amounts]
    return [amount.milli_value() for amount in amounts] if max(whole) <= _MAX_MILLI else whole
