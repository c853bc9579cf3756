"""Whether the pods of a request's object find nodes in addition to the pods that run now.

The object's present pods count as removed: when it is applied again, new ones replace them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.asked import READ_WITH_CLAIMS
from weighbridge.policies.placement.now.today import Asked, Today, today
from weighbridge.policies.placement.placement import asked
from weighbridge.policies.placement.request_pods import asked_by_all, claims_among, with_claims
from weighbridge.policies.pods.own_pods import own_pods
from weighbridge.policies.pods.workloads import pods_of, without_claims

#: Workloads, each with its pods by their roles.
_Made: TypeAlias = Sequence[tuple[JSONObject, Mapping[str, JSONObject]]]


@dataclass(frozen=True, slots=True)
class PodToday:
    """The answer for one kind of pods; `pod` names the kind if there are several."""

    pod: str
    asked: Asked
    today: Today


def today_of(workloads: Iterable[JSONObject], facts: Facts, namespace: str, *, whole: bool) -> PodToday | None:
    """The answer for the pods of some workloads: for the first kind that finds no node now, or else for the first.

    It is `None` if the running pods aren't known, or if some pods find no node on an empty cluster either.
    """
    occupancy = facts.occupancy
    made = [(workload, pods) for workload in workloads if (pods := pods_of(workload))]
    if occupancy is None or facts.inventory is None or not made:
        return None
    questions = _questions(made, facts, namespace)
    if questions is None:
        return None
    own = own_pods((workload for workload, _ in made), namespace)
    first: PodToday | None = None
    for called, question in questions:
        found = PodToday(called, question, today(question, occupancy, own, whole=whole))
        if not found.today.fits:
            return found
        first = first or found
    return first


def _questions(made: _Made, facts: Facts, namespace: str) -> list[tuple[str, Asked]] | None:
    """Each kind of pods with its verdicts on empty nodes; `None` if some find none, or if none has to find one.

    The store remembers them for all workloads whose pods have equal requests.
    """
    by_name = tuple(name_of(workload) for workload, _ in made) if len(made) > 1 else ()
    content = content_of(asked_by_all(made))
    fresh: list[list[tuple[str, Asked]] | None] = []

    def work_out() -> list[tuple[str, Asked]] | None:
        fresh.append(_worked_out(made, facts, namespace))
        return fresh[0] if fresh[0] is None or all(_is_small(question, facts) for _, question in fresh[0]) else None

    if content is None:
        return _worked_out(made, facts, namespace)
    known = facts.objects.once(READ_WITH_CLAIMS, (today_of, namespace, by_name, content), work_out, by=(facts.inventory,))
    # A large result isn't remembered, only that it is large.
    return known or (fresh[0] if fresh else _worked_out(made, facts, namespace))


def _is_small(question: Asked, facts: Facts) -> bool:
    return facts.inventory is not None and question.verdicts.group_of is facts.inventory.shape_of


def _worked_out(made: _Made, facts: Facts, namespace: str) -> list[tuple[str, Asked]] | None:
    pods = [(workload, role, pod) for workload, own in made for role, pod in own.items()]
    known = with_claims((pod for _, _, pod in pods), claims_among(made), facts, namespace)
    found = []
    for workload, role, pod in pods:
        question = asked(without_claims(pod, known.unknown), known.facts, namespace)
        if question is None or not question.verdicts.fits:
            return None
        found.append((role if len(made) == 1 else f"{name_of(workload)} {role}".strip(), question))
    return found
