"""The objects that are predicted for the LLMKube cases are created on a real server, and the real kube-scheduler places them as
predicted.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import pytest

from tests.programs.scheduler.judge import EVERY_NODE, Judge
from tests.programs.scheduler.messages import NARROWED, read
from tests.programs.scheduler.predicted import Predicted, being_deleted, create_claims, let_go, pods, predictions, priority_class
from tests.programs.scheduler.resources import delete_all
from tests.programs.scheduler.rounds import UNSCHEDULABLE, Outcome

pytestmark = pytest.mark.control_plane


def told(predicted: Predicted, outcome: Outcome, total: int) -> tuple[set[str], Counter[str]] | str:
    """The scheduler's answer: the nodes that fit and the counts of the others' reasons, or the message if it looked at no node."""
    if outcome.reason != UNSCHEDULABLE:
        return _of_no_name(outcome.message)
    verdict = read(outcome.message)
    if verdict.prefilter:
        return verdict.prefilter
    counts = verdict.refusals
    counts[NARROWED] -= total - len(predicted.node_names)
    names = {shared: name for name, shared in predicted.node_names.items()}
    return {names[name] for name in verdict.feasible}, +counts


def ours(predicted: Predicted) -> tuple[set[str], Counter[str]] | str:
    """Our answer about the predicted pod, in the same form."""
    placement = predicted.decision.placement
    assert placement is not None
    feasible, rejected = placement.nodes.feasible, placement.nodes.rejected
    if not feasible and not rejected:
        return _of_no_name(placement.message)
    verdict = read(placement.message) if placement.message else None
    if verdict is not None and verdict.prefilter:
        return verdict.prefilter
    return set(feasible), Counter(reason for reasons in rejected.values() for reason in reasons)


def _of_no_name(message: str) -> str:
    """The API server's message on a pod, without the pod's name; empty if there is none."""
    return message.rpartition("is forbidden: ")[2]


@pytest.mark.timeout(600)
def test_predicted_objects_are_placed_as_predicted(judge: Judge) -> None:
    found = predictions()
    assert len(found) > 150
    assert any(isinstance(ours(one), str) for one in found)
    differences = {}
    for _, group in groupby(sorted(found, key=lambda one: one.storage_classes), key=lambda one: one.storage_classes):
        differences.update(_differences(judge, list(group)))
    assert differences == {}


def _differences(judge: Judge, cases: list[Predicted]) -> dict[str, str]:
    """The cases of one cluster for which the scheduler has another answer."""
    shared = [obj for obj in cases[0].cluster if obj["kind"] == "StorageClass"]
    shared += {repr(obj): obj for one in cases for obj in one.cluster if obj["kind"] == "RuntimeClass"}.values()
    shared += [priority_class(name) for name in ("critical", "high", "normal", "low", "batch")]
    namespaces = [one.own_namespace for one in cases]
    objects = [*namespaces, *shared, *(obj for one in cases for obj in one.objects())]
    total = sum(obj["kind"] == "Node" for obj in objects)
    with judge.cluster(objects) as cluster:
        api, going = cluster.api, [obj for one in cases for obj in being_deleted(one)]
        delete_all(api, going)
        made = [obj for claims in api.each(lambda one: create_claims(api, one), cases) for obj in claims]
        of_each = api.each(lambda one: pods(api, one), cases)
        asked = {pod["metadata"]["name"]: (one, pod) for one, made_of in zip(cases, of_each, strict=True) for pod in made_of}
        try:
            outcomes = cluster.rounds.ask([pod for _, pod in asked.values()], EVERY_NODE)
        finally:
            delete_all(api, made)
            api.each(lambda obj: let_go(api, obj), going)
    return {
        one.case.id: f"{theirs} is predicted as {ours(one)}"
        for name, (one, _) in asked.items()
        if (theirs := told(one, outcomes[name], total)) != ours(one)
    }
