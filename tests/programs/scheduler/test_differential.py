"""Our placement has the answers of kube-scheduler: a sample of the comparison that `python -m tests.programs.scheduler` makes at length."""

from __future__ import annotations

import pytest

from tests.programs.scheduler import report
from tests.programs.scheduler.compare import compare
from tests.programs.scheduler.judge import Judge
from tests.programs.scheduler.suite import creatable, scenario
from weighbridge.policies.ground.server_release import release

pytestmark = pytest.mark.control_plane


@pytest.mark.parametrize(
    ("cluster", "pods"), [("mixed", 25), ("odd-quantities", 20), ("dra-mixed", 20), ("volumes", 20), ("limit-ranges", 20)]
)
def test_placement_agrees_with_the_scheduler_word_for_word(judge: Judge, cluster: str, pods: int) -> None:
    made = creatable(scenario(cluster, pods, seed=7), release())
    comparisons = compare(made, judge.truths(made.objects, made.pods))
    assert sum(comparison.nodes for comparison in comparisons) > pods
    assert not [comparison for comparison in comparisons if comparison.differences], "\n".join(report.lines(comparisons))
