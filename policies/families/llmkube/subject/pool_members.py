"""The members of a ModelPool, which are services that share its GPU slot, and why the operator may not reconcile it.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.subject.referenced_services import service_applied
from weighbridge.policies.families.llmkube.subject.references import GROUP, model_of
from weighbridge.policies.ground.durations import parse_problem
from weighbridge.policies.ground.fields import items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass


def member_names(pool: JSONObject | None) -> list[str]:
    """The names of a pool's members, as listed."""
    return [text(part(member, "inferenceServiceRef"), "name") for member in items(spec_of(pool), "members")]


def members(pool: JSONObject | None) -> Iterator[tuple[Path, str]]:
    """Each member: the path of its name, and the name, which may be empty."""
    for index, name in enumerate(member_names(pool)):
        yield ("spec", "members", index, "inferenceServiceRef", "name"), name


def budget_problem(pool: JSONObject | None) -> str:
    """Why the operator can't read a pool's `swapBudget`; empty if it can."""
    budget = spec_of(pool).get("swapBudget")
    return parse_problem(budget) if isinstance(budget, str) else ""


def with_unreadable_budget(facts: Facts) -> Iterable[JSONObject]:
    """The pools whose `swapBudget` the operator can't read; because of them it can't list any pool."""
    return facts.objects.where(GROUP, "ModelPool", _is_unreadable, True)


def _is_unreadable(pool: JSONObject) -> bool:
    return bool(budget_problem(pool))


def pools_with(facts: Facts, namespace: str, member: str) -> Sequence[JSONObject]:
    """The pools of a namespace that a service is a member of."""
    return facts.objects.read_where(GROUP, "ModelPool", itself, _members, (namespace, member))


def _members(pool: JSONObject) -> Iterator[Hashable]:
    return ((namespace_of(pool), name) for name in member_names(pool))


def is_metal(service: JSONObject, namespace: str, facts: Facts, config: Configuration) -> bool:
    """Whether a service's Model is known and served by a host's agent, which a pool can't stop."""
    model = model_of(service, namespace, facts, config)
    return text(part(spec_of(model), "hardware"), "accelerator") == "metal"


def replicas_of(service: JSONObject) -> int:
    """The number of pods that a service requests."""
    return whole(spec_of(service), "replicas", 1)


def slot_owner(pool: JSONObject, members: Mapping[str, JSONObject]) -> str:
    """The member that gets the slot; empty if none wants it.

    A member that is scaled up wants it. If the status names no resident, the default member goes first, even if no member is scaled up. A
    swap that has begun goes on.
    """
    status, default = part(pool, "status"), text(spec_of(pool), "default")
    resident, pending = text(status, "residentMember"), text(status, "pendingMember")
    wanting = [name for name in member_names(pool) if name in members and replicas_of(members[name]) >= 1]
    if resident:
        newly = [name for name in wanting if name != resident]
        if newly:
            return pending if pending in newly else newly[0]
        return pending if pending in members else resident
    if pending in members:
        return pending
    if not wanting:
        return default if default in members else ""
    return default if default in wanting else wanting[0]


@dataclass(frozen=True, slots=True)
class PoolShare:
    """The ModelPool that sets a service's replicas, and their number: 1 for the owner of its slot, else 0."""

    pool: str
    replicas: int


def pool_share(service: JSONObject, namespace: str, facts: Facts, config: Configuration, operator: KnownOperator) -> PoolShare | None:
    """What a service gets from its pool.

    It is `None` if no pool sets the replicas for good: the service is in none, or in several, which undo each other's work; the operator
    can't list the pools; or a member is missing or on metal, so that the operator doesn't reconcile the pool.
    """
    if not operator.since(0, 9, 16):
        return None
    name = name_of(service)
    pools = pools_with(facts, namespace, name)
    if len(pools) != 1 or any(True for _ in with_unreadable_budget(facts)):
        return None
    pool = pools[0]
    members: dict[str, JSONObject] = {}
    for member in filter(None, member_names(pool)):
        found = service if member == name else service_applied(facts, config, namespace, member)
        if found is None or is_metal(found, namespace, facts, config):
            return None
        members[member] = found
    return PoolShare(name_of(pool), int(slot_owner(pool, members) == name))
