"""The parts of the judge and the report: reading messages, narrowing pods, drawing cases, comparing answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.programs.scheduler import report
from tests.programs.scheduler.compare import Aspect, Comparison, differences
from tests.programs.scheduler.generated.case import bare, requirement
from tests.programs.scheduler.judge import Truth
from tests.programs.scheduler.messages import UnreadableMessageError, read
from tests.programs.scheduler.suite import MAKERS, scenario
from tests.programs.scheduler.variants import only_on
from weighbridge.policies.placement.outcome import Listed, Placement, Reason

AFTER = "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
MESSAGE = f"0/3 nodes are available: 1 FEASIBLE:a, 2 Insufficient cpu, 2 Too many pods. {AFTER}"


def test_a_message_is_taken_apart_into_counts_and_feasible_nodes() -> None:
    verdict = read(MESSAGE)
    assert (verdict.nodes, verdict.feasible, verdict.prefilter) == (3, {"a"}, "")
    assert verdict.refusals == Counter({"Insufficient cpu": 2, "Too many pods": 2})


@pytest.mark.parametrize(
    "text", ["pod affinity terms conflict", 'persistentvolumeclaim "x.y, z" not found', "request r0: device class b, c does not exist"]
)
def test_the_text_of_a_prefilter_is_no_list_of_counts(text: str) -> None:
    verdict = read(f"0/3 nodes are available: {text}. not found")
    assert (verdict.prefilter, verdict.counts) == (text, Counter())


@pytest.mark.parametrize("text", ["", "Successfully assigned", "0/3 nodes are available: 3 Insufficient cpu."])
def test_a_message_of_another_kind_is_an_error(text: str) -> None:
    with pytest.raises(UnreadableMessageError):
        read(text)


def terms_of(pod: dict[str, Any]) -> list[dict[str, Any]]:
    terms: list[dict[str, Any]] = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    return terms


def test_a_pod_without_affinity_is_narrowed_to_one_term_a_node() -> None:
    assert terms_of(only_on(bare("p", "").pod, ["a", "b"])) == [
        {"matchFields": [requirement("metadata.name", "In", name)]} for name in "ab"
    ]


def test_terms_keep_what_they_say_and_empty_ones_still_match_nothing() -> None:
    pod = bare("p", "").pod
    said = {"matchExpressions": [requirement("zone", "Exists")]}
    required = {"nodeSelectorTerms": [said, {}]}
    pod["spec"]["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}, "podAffinity": {}}
    narrowed = only_on(pod, ["a"])
    named, not_named = (requirement("metadata.name", operator, "a") for operator in ("In", "NotIn"))
    assert terms_of(narrowed) == [{**said, "matchFields": [named]}, {"matchFields": [named, not_named]}]
    assert required == {"nodeSelectorTerms": [said, {}]}
    assert "podAffinity" in narrowed["spec"]["affinity"]


@pytest.mark.parametrize("name", MAKERS)
def test_a_seed_draws_the_same_questions_again_and_another_seed_others(name: str) -> None:
    first, again, other = (scenario(name, 20, seed) for seed in (1, 1, 2))
    assert first.objects == again.objects
    assert first.pods == again.pods
    assert other.pods != first.pods
    assert len({case.name for case in first.cases}) == len(first.cases)


TRUTH = Truth(["a"], {"b": ["Insufficient cpu", "Too many pods"]}, "", "", frozenset({""}))
RIGHT = Placement(Listed(["a"], {"b": ["Too many pods", "Insufficient cpu"]}))
NOWHERE = Truth([], {"a": ["Insufficient cpu"]}, "because", "Unschedulable", frozenset({"because"}))
ABORTED = Truth([], {}, "one", "SchedulerError", frozenset({"one", "two"}))


@pytest.mark.parametrize(
    ("ours", "truth", "aspects"),
    [
        (RIGHT, TRUTH, []),
        (replace(RIGHT, nodes=Listed((), RIGHT.rejected)), TRUTH, [Aspect.FITS]),
        (replace(RIGHT, nodes=Listed(["a", "b"])), TRUTH, [Aspect.FITS, Aspect.REASONS]),
        (replace(RIGHT, nodes=Listed(["a"], {"b": ["Insufficient cpu"]})), TRUTH, [Aspect.REASONS]),
        (replace(RIGHT, unchecked=["volumes"]), TRUTH, [Aspect.OUTCOME]),
        (RIGHT, NOWHERE, [Aspect.OUTCOME]),
        (Placement(Listed((), NOWHERE.rejected), reason=Reason.UNSCHEDULABLE, message="why"), NOWHERE, [Aspect.MESSAGE]),
        (Placement(Listed((), NOWHERE.rejected), reason=Reason.UNSCHEDULABLE, message="because"), NOWHERE, []),
        (Placement(reason=Reason.SCHEDULER_ERROR, message="two"), ABORTED, []),
        (Placement(reason=Reason.SCHEDULER_ERROR, message="three"), ABORTED, [Aspect.MESSAGE]),
    ],
)
def test_answers_are_told_apart_in_every_aspect(ours: Placement, truth: Truth, aspects: list[Aspect]) -> None:
    assert [difference.aspect for difference in differences(ours, truth)] == aspects


def test_the_report_counts_by_cluster_and_topic_and_shows_the_smallest_example() -> None:
    small, large = bare("small", "requests"), bare("large", "requests")
    large.spec["nodeSelector"] = {"zone": "x" * 100}
    wrong = tuple(differences(replace(RIGHT, nodes=Listed(["b"], RIGHT.rejected)), TRUTH))
    comparisons = [
        Comparison("homelab", large, TRUTH, wrong),
        Comparison("homelab", small, TRUTH, wrong),
        Comparison("mixed", bare("fine", "selector"), TRUTH, ()),
    ]
    lines = list(report.lines(comparisons))
    assert max(map(len, lines)) <= report.WIDTH
    assert "homelab                   2        4        all         -2        all        all" in lines
    assert "mixed                     1        2        all        all        all        all" in lines
    assert [line for line in lines if line.startswith(("1.", "2."))] == ["1. fits in homelab, requests: small"]
    assert lines[-1] == "3 pods, 6 verdicts on nodes: 2 pods judged differently"
