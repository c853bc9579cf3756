"""The judge: a separate control plane with two kube-schedulers, which the first test that needs it starts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.control_plane.build import Assets
from tests.programs.scheduler.judge import Judge


@pytest.fixture(scope="session")
def judge(control_plane_assets: Assets) -> Iterator[Judge]:
    """The real kube-scheduler; the test is skipped if it hasn't been built."""
    if not control_plane_assets.has_scheduler:
        pytest.skip(f"{control_plane_assets.folder} has no kube-scheduler; without KUBEBUILDER_ASSETS we build one")
    with Judge(control_plane_assets) as judge:
        yield judge
