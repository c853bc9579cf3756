"""The objects among several that a change breaks, each with pods before and after the change, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from tests.engine.test_impacts import FAMILY, GROUP, never, obj
from tests.placement.clusters import node, pod
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.content import content_of
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement import request_pods
from weighbridge.policies.placement.request_pods import asked_by_all
from weighbridge.policies.pods.workloads import pods_of
from weighbridge.policies.verdict.breakage import broken_objects


def deployment(cpu: str = "1", replicas: int = 1, labels: JSONObject | None = None, **spec: Any) -> JSONObject:
    template = pod({"cpu": cpu})
    template = {**template, "metadata": {"labels": labels or {}}, "spec": {**template["spec"], **spec}}
    return {"kind": "Deployment", "metadata": {"name": "d"}, "spec": {"replicas": replicas, "template": template}}


def looked_up(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """For a thing the operator creates what the model has under its name: pods with that much CPU and a label, or a failure."""
    found = facts.objects.get(GROUP, "Model", "n", "m")
    assert isinstance(found, dict)
    cpu, label = found["spec"][request.name]
    return Prediction({}, failure="fails") if cpu == "fails" else Prediction({}, (deployment(cpu, labels={"l": label}),))


def broken(things: Sequence[tuple[str, tuple[str, str], tuple[str, str]]]) -> set[str]:
    """The names of the broken things among these, which are given with their state before and after; they are checked in this order."""
    before, after = (obj("Model", "m", {thing[0]: thing[at] for thing in things}) for at in (1, 2))
    request = Request("u", Operation.UPDATE, GroupVersionKind(GROUP, "v1", "Model"), after, before)
    stored = from_objects([before, *(obj("Thing", name) for name, _, _ in things), node()], Definitions())
    family = replace(FAMILY, predict={"Thing": looked_up})
    found = [str(each) for each in broken_objects(request, family, stored, DEFAULT, never) if isinstance(each, Finding)]
    return {name for name, _, _ in things if any(f"Thing n/{name}" in text for text in found)}


THINGS = [
    ("always", ("99", "a"), ("99", "a")),
    ("relabelled", ("99", "a"), ("99", "b")),
    ("grown", ("1", "a"), ("99", "a")),
    ("well", ("1", "a"), ("2", "a")),
    ("mended", ("99", "a"), ("1", "a")),
]


@pytest.mark.parametrize("things", list(permutations(THINGS)))
def test_the_order_of_dependents_changes_nothing(things: Sequence[tuple[str, tuple[str, str], tuple[str, str]]]) -> None:
    assert broken([*things, ("fails", ("1", "a"), ("fails", ""))]) == {"grown", "fails"}


def test_equal_pods_of_several_dependents_are_placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()

    def counting(name: str) -> None:
        place = getattr(request_pods, name)

        def call(*arguments: Any, **options: Any) -> Any:
            asked[name] += 1
            return place(*arguments, **options)

        monkeypatch.setattr(request_pods, name, call)

    for name in ("place", "some_node_takes"):
        counting(name)
    model = obj("Model", "m", {f"t{number}": ("1", f"before-{number}") for number in range(9)})
    changed = obj("Model", "m", {f"t{number}": ("99", f"after-{number}") for number in range(9)})
    stored = from_objects([model, *(obj("Thing", f"t{number}") for number in range(9)), node()], Definitions())
    request = Request("u", Operation.UPDATE, GroupVersionKind(GROUP, "v1", "Model"), changed, model)
    [found] = broken_objects(request, replace(FAMILY, predict={"Thing": looked_up}), stored, DEFAULT, never)
    assert "and 4 more" in str(found)
    # One more call, for the advice in the finding.
    assert asked["place"] <= 2, asked
    assert asked["some_node_takes"] <= 3, asked


def test_pods_that_stay_as_they_are_are_placed_for_the_first_dependent_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    place = getattr(request_pods, "place")  # noqa: B009

    def counting(pod: JSONObject, *arguments: Any, **options: Any) -> Any:
        asked.append(pod["metadata"]["generateName"])
        return place(pod, *arguments, **options)

    monkeypatch.setattr(request_pods, "place", counting)

    def made_for(request: Request, _: Facts, __: Configuration) -> Prediction | None:
        made = deployment("99")
        return Prediction({}, ({**made, "metadata": {"name": request.name}},))

    model = obj("Model", "m", {"v": 1})
    stored = from_objects([model, *(obj("Thing", f"t{number}") for number in range(9)), node()], Definitions())
    request = Request("u", Operation.UPDATE, GroupVersionKind(GROUP, "v1", "Model"), obj("Model", "m", {"v": 2}), model)
    assert list(broken_objects(request, replace(FAMILY, predict={"Thing": made_for}), stored, DEFAULT, never)) == []
    assert set(asked) == {"t0-"}


ANTI = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname"}]}}
CLAIM = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": {"accessModes": ["ReadWriteOnce"]}}


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ([deployment()], [deployment()], True),
        ([deployment(labels={"a": "1"})], [deployment(labels={"a": "2"})], True),
        ([deployment(labels={"a": "1"}, affinity=ANTI)], [deployment(labels={"a": "2"}, affinity=ANTI)], False),
        ([deployment(labels={"a": "1"}, affinity=ANTI)], [deployment(labels={"a": "1"}, affinity=ANTI)], True),
        ([deployment("1")], [deployment("2")], False),
        ([deployment(replicas=1)], [deployment(replicas=2)], False),
        ([deployment()], [deployment(nodeSelector={"a": "b"})], False),
        ([deployment(), CLAIM], [deployment()], False),
        ([deployment(), CLAIM], [deployment(), {**CLAIM, "spec": {"accessModes": ["ReadWriteMany"]}}], False),
        ([deployment(), {"kind": "ConfigMap", "data": {"a": "1"}}], [deployment(), {"kind": "ConfigMap", "data": {}}], True),
        ([deployment()], [], False),
    ],
)
def test_workloads_ask_for_the_same_if_all_that_placement_reads_is_equal(
    one: Sequence[JSONObject], other: Sequence[JSONObject], alike: bool
) -> None:
    asked = [content_of(asked_by_all((workload, pods_of(workload)) for workload in workloads)) for workloads in (one, other)]
    assert None not in asked
    assert (asked[0] == asked[1]) is alike
