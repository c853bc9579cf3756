"""Running pods count as for kube-scheduler: a sample of the comparison that `python -m tests.programs.scheduler.busy` makes at length."""

from __future__ import annotations

import pytest

from tests.programs.control_plane.build import Assets
from tests.programs.scheduler.busy import BusyJudge, BusyTruth, compare
from tests.programs.scheduler.generated.busy import scenario

pytestmark = pytest.mark.control_plane


def test_room_messages_and_victims_are_the_schedulers(control_plane_assets: Assets) -> None:
    if not control_plane_assets.has_scheduler:
        pytest.skip(f"{control_plane_assets.folder} has no kube-scheduler")
    truths: dict[str, BusyTruth] = {}
    with BusyJudge(control_plane_assets) as judge:
        for seed in (101, 104):
            made, found = judge.asked_about(scenario(seed, 25))
            truths |= found
            assert compare(made, found) == []
    assert any(truth.feasible for truth in truths.values())
    assert any(truth.victims for truth in truths.values())
    assert any("No preemption victims found" in truth.message for truth in truths.values())
