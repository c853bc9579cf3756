"""What a ModelPool is made of: the services that share its GPU slot, and what keeps the operator from looking after it.

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
    """The field that names each member, and the name, which may be empty."""
    for index, name in enumerate(member_names(pool)):
        yield ("spec", "members", index, "inferenceServiceRef", "name"), name


def budget_problem(pool: JSONObject | None) -> str:
    """Why the operator can't read a pool's `swapBudget`; empty where it can."""
    budget = spec_of(pool).get("swapBudget")
    return parse_problem(budget) if isinstance(budget, str) else ""


def with_unreadable_budget(facts: Facts) -> Iterable[JSONObject]:
    """The pools whose `swapBudget` the operator can't read, for which it lists no pool at all."""
    return facts.objects.where(GROUP, "ModelPool", _is_unreadable, True)


def _is_unreadable(pool: JSONObject) -> bool:
    return bool(budget_problem(pool))


def pools_with(facts: Facts, namespace: str, member: str) -> Sequence[JSONObject]:
    """The pools of a namespace that a service is a member of."""
    return facts.objects.read_where(GROUP, "ModelPool", itself, _members, (namespace, member))


def _members(pool: JSONObject) -> Iterator[Hashable]:
    return ((namespace_of(pool), name) for name in member_names(pool))


def is_metal(service: JSONObject, namespace: str, facts: Facts, config: Configuration) -> bool:
    """Whether a service's Model is known and served by a host's agent, which no pool can hold back."""
    model = model_of(service, namespace, facts, config)
    return text(part(spec_of(model), "hardware"), "accelerator") == "metal"


def replicas_of(service: JSONObject) -> int:
    """How many pods a service asks for."""
    return whole(spec_of(service), "replicas", 1)


def slot_owner(pool: JSONObject, members: Mapping[str, JSONObject]) -> str:
    """The member that is to have the slot; empty where none is wanted.

    A member that is scaled up wants it. On a pool without a resident the default comes before the first of them, and is warmed where none
    is scaled up; a swap under way is carried on.
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
    """The ModelPool that sets a service's replicas, and to how many: 1 for the owner of its slot, else 0."""

    pool: str
    replicas: int


def pool_share(service: JSONObject, namespace: str, facts: Facts, config: Configuration, operator: KnownOperator) -> PoolShare | None:
    """What a service gets of the pool that it is in.

    `None` where no pool sets its replicas: the service is in none, or in several, which undo each other's work; the operator lists no pool;
    or a member is missing or on metal, so the operator doesn't reconcile the pool.
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
