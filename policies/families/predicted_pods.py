"""Predicts the pods of the families' objects in a namespace, for rules that need all pods to come.

A new service has no workload in the cluster until its operator has created one, so its pods are predicted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families import families_of
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.references import as_stored
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.workloads import pods_of

#: The most objects to predict: one takes up to a millisecond, and a rule waits for all.
MOST: Final = 200


@dataclass(frozen=True, slots=True)
class PredictedPod:
    """A pod to come, with the object that it belongs to, and its role if the workload has two kinds of pods."""

    owner: JSONObject
    role: str
    pod: JSONObject


@dataclass(frozen=True, slots=True)
class PredictedPods:
    """The pods to come of a namespace by each of their labels, and whether these are all."""

    by_label: Mapping[tuple[str, str], Sequence[PredictedPod]]
    is_all: bool


_NONE: Final = PredictedPods({}, is_all=True)


def predicted_pods(facts: Facts, config: Configuration, namespace: str, *, without: Iterable[str] = ()) -> PredictedPods:
    """The predicted pods of all families' objects in a namespace, remembered for each state of the facts.

    Objects of the API groups in `without` are left out.
    """
    kinds = sorted(kind for kind in facts.objects.kinds() if kind[0] not in without)
    if not any(_predictable(kinds)):
        return _NONE

    def work_out() -> PredictedPods:
        return _predicted(facts, config, namespace, kinds)

    by = (config, facts.definitions, facts.inventory)
    return facts.objects.once(kinds, (predicted_pods, namespace), work_out, by=by)


def _predicted(facts: Facts, config: Configuration, namespace: str, kinds: Collection[tuple[str, str]]) -> PredictedPods:
    asked = list(islice(_services(facts, namespace, kinds), MOST + 1))
    found: dict[tuple[str, str], list[PredictedPod]] = {}
    for family, gvk, obj in asked[:MOST]:
        for made in _made(family, gvk, obj, facts, config, namespace):
            for label in text_map(made.pod, "metadata", "labels").items():
                found.setdefault(label, []).append(made)
    return PredictedPods(found, len(asked) <= MOST)


def _made(
    family: Family, gvk: GroupVersionKind, obj: JSONObject, facts: Facts, config: Configuration, namespace: str
) -> Iterator[PredictedPod]:
    applied = as_stored(obj, namespace, facts, config)
    request = Request("predicted", Operation.CREATE, gvk, applied, namespace=namespace, name=name_of(obj))
    prediction = family.predict[gvk.kind](request, facts, config)
    for workload in () if prediction is None else prediction.objects:
        for role, pod in pods_of(workload).items():
            yield PredictedPod(obj, role, pod)


def _services(facts: Facts, namespace: str, kinds: Collection[tuple[str, str]]) -> Iterator[tuple[Family, GroupVersionKind, JSONObject]]:
    """The objects of these kinds in the namespace that have a prediction."""
    for family, gvk in _predictable(kinds):
        yield from ((family, gvk, obj) for obj in facts.objects.list(gvk.group, gvk.kind, namespace))


def _predictable(kinds: Collection[tuple[str, str]]) -> Iterator[tuple[Family, GroupVersionKind]]:
    """Those of these kinds that have a prediction."""
    for family in families_of({group for group, _ in kinds}):
        for gvk in (kind.gvk for kind in family.kinds if kind.gvk.kind in family.predict):
            if (gvk.group, gvk.kind) in kinds:
                yield family, gvk
