"""ResourceQuotas: the requests and limits that each container in a namespace must have, and how much one pod may request.

A quota on CPU or memory makes requests or limits of every container compulsory. The use of other pods isn't counted: as in an empty
cluster, a pod is refused if it alone exceeds the quota. If a namespace's quotas aren't known, none is assumed. Source: Kubernetes v1.36,
plugin ResourceQuota (apiserver/pkg/admission/plugin/resourcequota/controller.go, ``CheckRequest``) and pkg/quota/v1/evaluator/core/pods.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import amounts, items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods import wordings
from weighbridge.policies.pods.refusal import forbidden
from weighbridge.policies.pods.requests import Amounts, containers, effective, of_pod, read_amounts

#: Group and kind.
QUOTAS: Final = ("", "ResourceQuota")
_COUNTED: Final = ("cpu", "memory", "ephemeral-storage")
#: The amounts that every container must state if a quota limits them.
_COMPULSORY: Final = frozenset({"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"})
_ONE: Final = Quantity.from_int(1)
_ZERO: Final = Quantity.from_int(0)
_HUGEPAGES: Final = "hugepages-"
_AFFINITIES: Final = ("podAffinity", "podAntiAffinity")


@dataclass(frozen=True, slots=True)
class Quota:
    """A ResourceQuota as it is read: what it allows, what its status says is used, and its scopes, each as an expression."""

    name: str
    hard: Amounts
    used: Amounts
    scopes: Sequence[JSONObject]


def quotas_of(namespace: str, store: ObjectStore) -> Sequence[Quota]:
    """The quotas of a namespace, sorted by name, since the server has no order. They are read once, until a quota changes."""
    return store.once((QUOTAS,), (quotas_of, namespace), lambda: _read(namespace, store))


def _read(namespace: str, store: ObjectStore) -> Sequence[Quota]:
    return [
        Quota(name_of(quota), amounts(quota, "spec", "hard"), amounts(quota, "status", "used"), tuple(_scopes_of(quota)))
        for quota in sorted(store.list(*QUOTAS, namespace), key=name_of)
    ]


def check_quotas(name: str, spec: JSONObject, namespace: str, store: ObjectStore) -> None:
    """Raise `Refused` if a quota refuses a pod, which the API server has filled in."""
    quotas = [quota for quota in quotas_of(namespace, store) if counts_pod(quota, spec)]
    if not quotas:
        return
    asked, stated = usage_of_pod(spec), () if _is_whole(spec) else list(_stated(spec))
    # What must be stated for any quota comes first.
    for quota in quotas if stated else ():
        missing = _missing(stated, _COMPULSORY & quota.hard.keys())
        if missing:
            raise forbidden(name, wordings.not_stated(quota.name, missing))
    for quota in quotas:
        hard = quota.hard
        over = [key for key in asked.keys() & hard.keys() if asked[key].compare(hard[key]) > 0]
        if over:
            raise forbidden(name, exceeded(quota.name, over, asked, quota.used, hard))


def exceeded(quota: str, over: Iterable[str], asked: Amounts, used: Amounts, hard: Amounts) -> str:
    """The server's message about an exceeded quota: the keys, with the amounts requested, used already, and allowed."""
    keys = sorted(over)
    return wordings.quota_exceeded(quota, *(listed_amounts(found, keys) for found in (asked, used, hard)))


def listed_amounts(found: Mapping[str, Quantity], keys: Iterable[str]) -> str:
    """Amounts as a text, ``pods=2,requests.cpu=500m``; missing ones are 0."""
    return ",".join(f"{key}={found.get(key, _ZERO)}" for key in keys)


def counts_pod(quota: Quota, spec: JSONObject) -> bool:
    """Whether a quota counts a pod, which must be in all of its scopes."""
    return not quota.scopes or all(_is_in_scope(scope, spec) for scope in quota.scopes)


def _is_whole(spec: JSONObject) -> bool:
    """Whether the pod has pod-level resources, so that its containers needn't state theirs."""
    return any(part(spec, "resources", kind) for kind in ("requests", "limits"))


def _stated(spec: JSONObject) -> Iterator[tuple[str, Amounts]]:
    """The name of each container, with the amounts that it states."""
    for _, _, container in containers(spec):
        resources = part(container, "resources")
        said = _counted(read_amounts(part(resources, "requests")), read_amounts(part(resources, "limits")))
        yield text(container, "name"), said


def _missing(stated: Iterable[tuple[str, Amounts]], wanted: frozenset[str]) -> str:
    """The amounts that containers don't state: ``limits.cpu for: a,b; requests.cpu for: a``."""
    without: dict[str, set[str]] = {}
    for name, said in stated if wanted else ():
        for key in wanted - said.keys():
            without.setdefault(key, set()).add(name)
    return wordings.missing_amounts(sorted(without.items()))


def usage_of_pod(spec: JSONObject) -> Amounts:
    """The amounts that a pod uses of a quota, by its keys."""
    limits = of_pod(spec, "limits")
    overhead = read_amounts(part(spec, "overhead"))
    used = _counted(effective(spec), {name: limit.add(overhead[name]) if name in overhead else limit for name, limit in limits.items()})
    return {**used, "pods": _ONE, "count/pods": _ONE}


def _counted(requests: Amounts, limits: Amounts) -> Amounts:
    found: Amounts = {}
    for name in _COUNTED:
        if name in requests:
            found[name] = found[f"requests.{name}"] = requests[name]
        if name in limits:
            found[f"limits.{name}"] = limits[name]
    for name, amount in requests.items():
        if name.startswith(_HUGEPAGES):
            found[name] = found[f"requests.{name}"] = amount
        elif "/" in name:
            found[f"requests.{name}"] = amount
    return found


def _scopes_of(quota: JSONObject) -> Iterator[JSONObject]:
    spec = part(quota, "spec")
    for scope in texts(spec, "scopes"):
        yield {"scopeName": scope, "operator": "Exists"}
    yield from items(spec, "scopeSelector", "matchExpressions")


def _is_in_scope(scope: JSONObject, spec: JSONObject) -> bool:
    """Whether a quota with this scope counts a pod; a scope that isn't for pods counts none."""
    kind = text(scope, "scopeName")
    if kind in ("Terminating", "NotTerminating"):
        deadline = spec.get("activeDeadlineSeconds")
        return (isinstance(deadline, int) and deadline >= 0) is (kind == "Terminating")
    if kind in ("BestEffort", "NotBestEffort"):
        return _is_best_effort(spec) is (kind == "BestEffort")
    if kind == "PriorityClass":
        return _is_of_class(scope, text(spec, "priorityClassName"))
    return kind == "CrossNamespacePodAffinity" and any(_leaves_namespace(part(spec, "affinity", affinity)) for affinity in _AFFINITIES)


def _is_best_effort(spec: JSONObject) -> bool:
    """Whether no part of a pod requests CPU or memory (pkg/apis/core/v1/helper/qos)."""
    holders = [part(spec, "resources"), *(part(container, "resources") for _, _, container in containers(spec))]
    asked = (read_amounts(part(holder, kind)) for holder in holders for kind in ("requests", "limits"))
    return not any(amount.sign() > 0 for found in asked for name, amount in found.items() if name in ("cpu", "memory"))


def _is_of_class(scope: JSONObject, name: str) -> bool:
    operator, values = text(scope, "operator"), texts(scope, "values")
    if operator == "In":
        return bool(name) and name in values
    if operator == "NotIn":
        return not name or name not in values
    return bool(name) is (operator == "Exists")


def _leaves_namespace(affinity: JSONObject) -> bool:
    terms = [
        *items(affinity, "requiredDuringSchedulingIgnoredDuringExecution"),
        *(part(term, "podAffinityTerm") for term in items(affinity, "preferredDuringSchedulingIgnoredDuringExecution")),
    ]
    return any(texts(term, "namespaces") or "namespaceSelector" in term for term in terms)
