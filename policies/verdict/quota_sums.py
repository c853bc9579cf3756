"""ResourceQuotas against what replicas, the objects that controllers make, and several objects of one change add up to.

A pod that no quota ever lets in is refused (`policies/pods/quotas.py`). Here the objects are counted one by one, as the API server does:
after what the quota's status says is used, and after the objects of the same run that come before. The first one that is refused is named,
in the server's words. Source: Kubernetes v1.37, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families_of
from weighbridge.policies.ground.fields import amounts
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, is_stored, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.quota_demands import Demand, demands_of
from weighbridge.policies.pods.quotas import counts_pod, exceeded, listed_amounts, quotas_of, scopes_of
from weighbridge.policies.pods.requests import Amounts
from weighbridge.policies.verdict.pod_admission import QUOTA_EXCEEDED, created

_MOST_NAMED: Final = 3
_ZERO: Final = Quantity.from_int(0)
#: What is used, by the names of quotas.
_Used = dict[str, Amounts]


@dataclass(frozen=True, slots=True)
class _Before:
    """What a run creates before one of its objects: how much of each quota that takes.

    `takers` are the objects of the run that take of a key of quotas, and `counts` says how many of them come before.
    """

    used: Mapping[str, Amounts]
    takers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


_NOTHING: Final = _Before({})


def over_quotas(
    request: Request, made: Sequence[JSONObject], stored: Sequence[JSONObject], facts: Facts, config: Configuration
) -> list[Finding]:
    """The findings on a request that creates these objects in place of the stored ones."""
    namespace = request.namespace or "default"
    quotas = quotas_of(namespace, facts.objects)
    if not quotas:
        return []
    before = _before(request, namespace, facts, config)
    given_back = _taken(demands_of(stored, facts, namespace), quotas)
    status = {name_of(quota): amounts(quota, "status", "used") for quota in quotas}
    left = {name: _less(used, given_back.get(name, {})) for name, used in status.items()}
    start = {name: _plus(used, before.used.get(name, {})) for name, used in left.items()}
    return list(dict.fromkeys(_findings(demands_of(made, facts, namespace), quotas, start, left, before)))


def _findings(
    made: Iterable[Sequence[Demand]], quotas: Sequence[JSONObject], start: _Used, left: _Used, before: _Before
) -> Iterator[Finding]:
    used = {name: dict(found) for name, found in start.items()}
    for demands in made:
        for demand in demands:
            fitting, quota = _fitting(demand, quotas, used)
            _take(demand, fitting, quotas, used)
            if quota is None:
                continue
            name, hard = name_of(quota), amounts(quota, "spec", "hard")
            over = [key for key in _counted(demand, quota, hard) if _plus(used[name], demand.usage)[key].compare(hard[key]) > 0]
            said = f"{demand.named(fitting + 1)}: {exceeded(name, over, demand.usage, used[name], hard)}"
            requested, most = listed_amounts(demand.usage, over), listed_amounts(hard, over)
            yield Finding(
                QUOTA_EXCEEDED, Severity.WARNING, (), said, hint=_origin(over, left[name], before), found=requested, expected=most
            )
            if demand.is_root:
                break


def _origin(over: Sequence[str], left: Amounts, before: _Before) -> str:
    """Where the used amounts come from besides the object's own."""
    keys = sorted(key for key in over if not left.get(key, _ZERO).is_zero())
    parts = [f"{listed_amounts(left, keys)} is used now by the quota's status"] if keys else []
    takers = dict.fromkeys(name for key in over for name in before.takers.get(key, ())[: before.counts.get(key, 0)][:_MOST_NAMED])
    if takers:
        more = any(before.counts.get(key, 0) > _MOST_NAMED for key in over)
        parts.append(f"the same run creates {', '.join(takers)}{' and others' if more else ''} before")
    return "; ".join([*parts, "lower the replicas or the requests, or raise the quota"])


def _counted(demand: Demand, quota: JSONObject, hard: Amounts) -> list[str]:
    """The keys by which a quota counts a demand."""
    is_counted = next(scopes_of(quota), None) is None if demand.spec is None else counts_pod(quota, demand.spec)
    return [key for key, amount in demand.usage.items() if key in hard and not amount.is_zero()] if is_counted else []


def _fitting(demand: Demand, quotas: Sequence[JSONObject], used: _Used) -> tuple[int, JSONObject | None]:
    """How many of a demand's objects the quotas let in, and the quota that refuses the next one; none if all are let in."""
    fitting, refusing = demand.count, None
    for quota in quotas:
        hard, taken = amounts(quota, "spec", "hard"), used[name_of(quota)]
        for key in _counted(demand, quota, hard):
            left = hard[key].sub(taken.get(key, _ZERO)).milli_value()
            few = max(left // demand.usage[key].milli_value(), 0)
            if few < fitting:
                fitting, refusing = few, quota
    return fitting, refusing


def _take(demand: Demand, count: int, quotas: Sequence[JSONObject], used: _Used) -> None:
    """Count so many of a demand's objects as used."""
    for quota in quotas if count else ():
        taken = used[name_of(quota)]
        for key in _counted(demand, quota, amounts(quota, "spec", "hard")):
            taken[key] = taken.get(key, _ZERO).add(_times(demand.usage[key], count))


def _taken(made: Iterable[Sequence[Demand]], quotas: Sequence[JSONObject]) -> _Used:
    """What demands take of quotas, as if these had no limit."""
    used: _Used = {name_of(quota): {} for quota in quotas}
    for demand in chain.from_iterable(made):
        _take(demand, demand.count, quotas, used)
    return used


def _times(amount: Quantity, count: int) -> Quantity:
    """So many times an amount, by doubling."""
    total = _ZERO
    while count:
        total = total.add(amount) if count % 2 else total
        amount, count = amount.add(amount), count // 2
    return total


def _plus(left: Amounts, right: Amounts) -> Amounts:
    return {**right, **{key: amount.add(right[key]) if key in right else amount for key, amount in left.items()}}


def _less(left: Amounts, right: Amounts) -> Amounts:
    """The difference, at least nothing."""
    lower = {key: amount.sub(right[key]) if key in right else amount for key, amount in left.items()}
    return {key: amount if amount.sign() > 0 else _ZERO for key, amount in lower.items()}


def _before(request: Request, namespace: str, facts: Facts, config: Configuration) -> _Before:
    """What the other objects of the same run take of the namespace's quotas, for those that come before the request's object."""
    if not facts.beside.kinds():
        return _NOTHING
    by = (facts.objects, facts.definitions, config)
    known = facts.beside.once((), (_before, namespace), lambda: dict(_in_order(namespace, facts, config)), by=by)
    return known.get((request.gvk.group, request.gvk.kind, request.name or name_of(request.object)), _NOTHING)


def _in_order(namespace: str, facts: Facts, config: Configuration) -> Iterator[tuple[tuple[str, str, str], _Before]]:
    """The objects of a run in a namespace, each with what comes before it. They come by kind, then as they were given."""
    quotas = quotas_of(namespace, facts.objects)
    used: _Used = {name_of(quota): {} for quota in quotas}
    takers: dict[str, list[str]] = {}
    for group, kind in sorted(facts.beside.kinds()):
        for obj in facts.beside.list(group, kind, namespace):
            yield (group, kind, name_of(obj)), _Before(used, takers, {key: len(names) for key, names in takers.items()})
            demands = demands_of(_made_of(obj, namespace, facts, config), facts, namespace)
            stored = facts.replaced.get(group, kind, namespace, name_of(obj))
            if isinstance(stored, dict):
                given_back = _taken(demands_of(_made_of(stored, namespace, facts, config), facts, namespace), quotas)
                used = {name: _less(taken, given_back.get(name, {})) for name, taken in used.items()}
            taken = _taken(demands, quotas)
            for key in {key for found in taken.values() for key in found}:
                takers.setdefault(key, []).append(f"{kind} {name_of(obj)}")
            used = {name: _plus(found, taken[name]) for name, found in used.items()}


def _made_of(obj: JSONObject, namespace: str, facts: Facts, config: Configuration) -> list[JSONObject]:
    """An object of the run and all that is made of it."""
    gvk = GroupVersionKind.from_object(obj)
    family = next((one for one in families_of({gvk.group})), None) if gvk is not None else None
    resolve = family.predict.get(gvk.kind) if family is not None and gvk is not None else None
    if family is None or gvk is None or resolve is None:
        return [obj]
    from weighbridge.policies.families.references import as_applied

    fill = family.fill.get(gvk.kind)
    applied = obj if is_stored(obj) or fill is None else as_applied(obj, namespace, facts, config, fill)
    request = Request("quota", Operation.CREATE, gvk, applied, namespace=namespace, name=name_of(obj))
    prediction = resolve(request, facts, config)
    request.forget()
    return created(obj, prediction, prediction.placed() if prediction is not None and prediction.placed is not None else ())
