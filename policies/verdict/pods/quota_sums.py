"""Compares ResourceQuotas with the sums of replicas, of objects that controllers create, and of several objects of one change.

A pod that a quota never admits is refused (`policies/pods/quotas.py`). Here the objects are counted one by one, as the API server does: in
addition to what the quota's status says is used, and to earlier objects of the same run. The first one that is refused is named, in the
server's words. Source: Kubernetes v1.37, apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families_of
from weighbridge.policies.families.prediction import created
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, is_stored, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.quota_demands import QuotaDemand, Unit, demands_of
from weighbridge.policies.pods.quotas import Quota, counts_pod, exceeded, listed_amounts, quotas_of
from weighbridge.policies.pods.requests import Amounts
from weighbridge.policies.verdict.judgement import QUOTA_EXCEEDED

_MOST_NAMED: Final = 3
_STUCK: Final = "the update waits; allow maxUnavailable: 1 or the strategy Recreate, or raise the quota"
_ZERO: Final = Quantity.from_int(0)
#: The used amounts, by the names of quotas.
_Used = dict[str, Amounts]


@dataclass(frozen=True, slots=True)
class _Before:
    """The used amounts of each quota before an object of a run.

    `takers` are the objects of the run that use a key of quotas, and `counts` says how many of them come before.
    """

    used: Mapping[str, Amounts]
    takers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


def over_quotas(
    request: Request, made: Sequence[JSONObject], stored: Sequence[JSONObject], facts: Facts, config: Configuration
) -> list[Finding]:
    """The findings on a request that creates these objects and replaces the stored ones."""
    namespace = request.namespace or "default"
    quotas = quotas_of(namespace, facts.objects)
    if not quotas:
        return []
    before = _before(request, quotas, namespace, facts, config)
    given_back = _taken(demands_of(stored, facts, namespace), quotas)
    used = {name: _less(found, given_back[name]) for name, found in before.used.items()}
    status = {name: _less(found, given_back[name]) for name, found in _status(quotas).items()}
    demands = demands_of(made, facts, namespace)
    found = []
    for demand, number, quota in _refused(demands, quotas, used):
        found.append(_finding(demand, demand.named(number), quota, used, _origin(demand, quota, used, status, before)))
    for demand, quota in [] if found else _stuck(demands, quotas, used):
        severity = Severity.WARNING if request.operation is Operation.UPDATE else Severity.NOTE
        told = _finding(demand, f"a rolling update of {demand.owner}, which adds a pod first", quota, used, _STUCK)
        found.append(replace(told, severity=severity))
    return list(dict.fromkeys(found))


def _finding(demand: QuotaDemand, what: str, quota: Quota, used: _Used, hint: str) -> Finding:
    """The finding that a quota refuses one more object of a demand."""
    name, hard = quota.name, quota.hard
    over = _over(demand, quota, used)
    said = f"{what}: {exceeded(name, over, demand.usage, used[name], hard)}"
    requested, most = listed_amounts(demand.usage, over), listed_amounts(hard, over)
    return Finding(QUOTA_EXCEEDED, Severity.WARNING, (), said, hint=hint, found=requested, expected=most)


def _over(demand: QuotaDemand, quota: Quota, used: _Used) -> list[str]:
    """The keys of a quota that one more object of a demand exceeds."""
    sums = _plus(used[quota.name], demand.usage)
    return [key for key in _counted(demand, quota) if sums[key].compare(quota.hard[key]) > 0]


def _stuck(made: Iterable[Sequence[Unit]], quotas: Sequence[Quota], used: _Used) -> Iterator[tuple[QuotaDemand, Quota]]:
    """The demands of pods whose rolling update finds no room for the pod that it adds first, each with the quota."""
    for demand in chain.from_iterable(chain.from_iterable(made)):
        if demand.adds_first and _fitting((demand,), quotas, used) == 0:
            yield demand, _refusing(demand, quotas, used)


def _status(quotas: Iterable[Quota]) -> _Used:
    return {quota.name: dict(quota.used) for quota in quotas}


def _refused(made: Iterable[Sequence[Unit]], quotas: Sequence[Quota], used: _Used) -> Iterator[tuple[QuotaDemand, int, Quota]]:
    """The demands of which some are refused, each with the number of the first one and the quota; the others are added to `used`."""
    for units in made:
        for unit in units:
            fitting = _fitting(unit, quotas, used)
            for demand in unit:
                _take(demand, fitting, quotas, used)
            if fitting == unit[0].count:
                continue
            demand, quota = _first_refused(unit, quotas, used)
            yield demand, fitting + 1, quota
            if demand.is_root:
                break


def _first_refused(unit: Unit, quotas: Sequence[Quota], used: _Used) -> tuple[QuotaDemand, Quota]:
    """The first demand of a unit whose next object is refused, and the quota that refuses it."""
    for demand in unit[:-1]:
        if _fitting((demand,), quotas, used) == 0:
            return demand, _refusing(demand, quotas, used)
        _take(demand, 1, quotas, used)
    return unit[-1], _refusing(unit[-1], quotas, used)


def _refusing(demand: QuotaDemand, quotas: Sequence[Quota], used: _Used) -> Quota:
    """The first quota that refuses a further object of a demand."""
    return next(quota for quota in quotas if _fitting((demand,), [quota], used) == 0)


def _origin(demand: QuotaDemand, quota: Quota, used: _Used, status: _Used, before: _Before) -> str:
    """The origin of the used amounts apart from the object's own."""
    over, left = _over(demand, quota, used), status[quota.name]
    keys = sorted(key for key in over if not left.get(key, _ZERO).is_zero())
    parts = [f"{listed_amounts(left, keys)} is used now by the quota's status"] if keys else []
    takers = dict.fromkeys(name for key in over for name in before.takers.get(key, ())[: before.counts.get(key, 0)][:_MOST_NAMED])
    if takers:
        more = any(before.counts.get(key, 0) > _MOST_NAMED for key in over)
        parts.append(f"the same run creates {', '.join(takers)}{' and others' if more else ''} before")
    return "; ".join([*parts, "lower the replicas or the requests, or raise the quota"])


def _counted(demand: QuotaDemand, quota: Quota) -> list[str]:
    """The keys by which a quota counts a demand."""
    if quota.scopes and (demand.spec is None or not counts_pod(quota, demand.spec)):
        return []
    return [key for key, amount in demand.usage.items() if key in quota.hard and not amount.is_zero()]


def _fitting(unit: Unit, quotas: Sequence[Quota], used: _Used) -> int:
    """How often the quotas admit one object of each demand, at most as often as they are created."""
    fitting = unit[0].count
    for quota in quotas:
        hard, taken = quota.hard, used[quota.name]
        wanted: dict[str, int] = {}
        for demand in unit:
            for key in _counted(demand, quota):
                wanted[key] = wanted.get(key, 0) + demand.usage[key].milli_value()
        for key, amount in wanted.items():
            left = hard[key].sub(taken.get(key, _ZERO)).milli_value()
            fitting = min(fitting, max(left // amount, 0))
    return fitting


def _take(demand: QuotaDemand, count: int, quotas: Sequence[Quota], used: _Used) -> None:
    """Count `count` of a demand's objects as used."""
    for quota in quotas if count else ():
        taken = used[quota.name]
        for key in _counted(demand, quota):
            taken[key] = taken.get(key, _ZERO).add(demand.usage[key].times(count))


def _taken(made: Iterable[Sequence[Unit]], quotas: Sequence[Quota]) -> _Used:
    """What demands use of quotas, as if these had no limit."""
    used: _Used = {quota.name: {} for quota in quotas}
    for demand in chain.from_iterable(chain.from_iterable(made)):
        _take(demand, demand.count, quotas, used)
    return used


def _plus(left: Amounts, right: Amounts) -> Amounts:
    return {**right, **{key: amount.add(right[key]) if key in right else amount for key, amount in left.items()}}


def _less(left: Amounts, right: Amounts) -> Amounts:
    """The difference, at least zero."""
    lower = {key: amount.sub(right[key]) if key in right else amount for key, amount in left.items()}
    return {key: amount if amount.sign() > 0 else _ZERO for key, amount in lower.items()}


def _before(request: Request, quotas: Sequence[Quota], namespace: str, facts: Facts, config: Configuration) -> _Before:
    """The used amounts of the namespace's quotas before the request's object; earlier objects of the run count."""
    alone = _Before(_status(quotas))
    if not facts.beside.kinds():
        return alone
    by = (facts.objects, facts.definitions, config)
    known = facts.beside.once((), (_before, namespace), lambda: dict(_in_order(quotas, namespace, facts, config)), by=by)
    return known.get((request.gvk.group, request.gvk.kind, request.name or name_of(request.object)), alone)


def _in_order(
    quotas: Sequence[Quota], namespace: str, facts: Facts, config: Configuration
) -> Iterator[tuple[tuple[str, str, str], _Before]]:
    """The objects of a run in a namespace, each with what comes before it. They are sorted by kind, then in the given order."""
    used = _status(quotas)
    takers: dict[str, list[str]] = {}
    for group, kind in sorted(facts.beside.kinds()):
        for obj in facts.beside.list(group, kind, namespace):
            counts = {key: len(names) for key, names in takers.items()}
            yield (group, kind, name_of(obj)), _Before({name: dict(found) for name, found in used.items()}, takers, counts)
            stored = facts.replaced.get(group, kind, namespace, name_of(obj))
            if isinstance(stored, dict):
                given_back = _taken(demands_of(_made_of(stored, namespace, facts, config), facts, namespace), quotas)
                used = {name: _less(found, given_back[name]) for name, found in used.items()}
            demands = demands_of(_made_of(obj, namespace, facts, config), facts, namespace)
            for _ in _refused(demands, quotas, used):
                pass
            for key in {key for found in _taken(demands, quotas).values() for key in found}:
                takers.setdefault(key, []).append(f"{kind} {name_of(obj)}")


def _made_of(obj: JSONObject, namespace: str, facts: Facts, config: Configuration) -> list[JSONObject]:
    """An object of the run and all that is created for it."""
    gvk = GroupVersionKind.from_object(obj)
    family = next((one for one in families_of({gvk.group})), None) if gvk is not None else None
    resolve = family.predict.get(gvk.kind) if family is not None and gvk is not None else None
    if family is None or gvk is None or resolve is None:
        return [obj]
    from weighbridge.policies.families.references import as_applied

    applied = obj if is_stored(obj) or gvk.kind not in family.fill else as_applied(obj, namespace, facts, config)
    request = Request("quota", Operation.CREATE, gvk, applied, namespace=namespace, name=name_of(obj))
    prediction = resolve(request, facts, config)
    request.forget()
    return created(obj, prediction, prediction.placed() if prediction is not None and prediction.placed is not None else ())
