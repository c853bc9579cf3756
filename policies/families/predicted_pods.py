"""The pods that the families' objects of a namespace will make, for rules that ask which pods there will be.

A service that comes with a change, or whose operator hasn't got to it yet, has no workload in the cluster; its pods are those of the
prediction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families import families_of
from policies.families.family import Family
from policies.families.mutation import Mutation
from policies.families.references import as_applied
from policies.fields import text_map
from policies.objects import GroupVersionKind, JSONObject, Operation, is_stored, name_of
from policies.pods.workloads import pods_of
from policies.request import Request

#: A prediction takes up to a millisecond, and a rule waits for all of them.
MOST: Final = 200


@dataclass(frozen=True, slots=True)
class PredictedPod:
    """A kind of pods to come: the object that it follows from, the pod's role in its workload where that makes two, and the pod."""

    owner: JSONObject
    role: str
    pod: JSONObject


@dataclass(frozen=True, slots=True)
class PredictedPods:
    """The pods to come of a namespace by each of their labels, and whether these are all."""

    by_label: Mapping[tuple[str, str], Sequence[PredictedPod]]
    is_all: bool


def predicted_pods(facts: Facts, config: Configuration, namespace: str) -> PredictedPods:
    """What the objects of all families in a namespace will make pods of; worked out once for each state of the facts."""

    def work_out() -> tuple[Configuration, PredictedPods]:
        return config, _predicted(facts, config, namespace)

    # The facts may outlast a configuration.
    known, found = facts.objects.derived((predicted_pods, namespace), work_out)
    return found if known is config else _predicted(facts, config, namespace)


def _predicted(facts: Facts, config: Configuration, namespace: str) -> PredictedPods:
    asked = list(islice(_services(facts, namespace), MOST + 1))
    found: dict[tuple[str, str], list[PredictedPod]] = {}
    for family, gvk, obj in asked[:MOST]:
        for made in _made(family, gvk, obj, facts, config, namespace):
            for label in text_map(made.pod, "metadata", "labels").items():
                found.setdefault(label, []).append(made)
    return PredictedPods(found, len(asked) <= MOST)


def _made(
    family: Family, gvk: GroupVersionKind, obj: JSONObject, facts: Facts, config: Configuration, namespace: str
) -> Iterator[PredictedPod]:
    applied = obj if is_stored(obj) else as_applied(obj, namespace, facts, config, family.defaults.get(gvk.kind, _nothing))
    request = Request("predicted", Operation.CREATE, gvk, applied, namespace=namespace, name=name_of(obj))
    effective = family.resolve[gvk.kind](request, facts, config)
    for workload in () if effective is None else effective.objects:
        for role, pod in pods_of(workload).items():
            yield PredictedPod(obj, role, pod)


def _nothing(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fills nothing in."""


def _services(facts: Facts, namespace: str) -> Iterator[tuple[Family, GroupVersionKind, JSONObject]]:
    """The objects of the namespace of which something is predicted."""
    there = facts.objects.kinds()
    for family in families_of({group for group, _ in there}):
        for gvk in (kind.gvk for kind in family.kinds if kind.gvk.kind in family.resolve):
            if (gvk.group, gvk.kind) in there:
                yield from ((family, gvk, obj) for obj in facts.objects.list(gvk.group, gvk.kind, namespace))
