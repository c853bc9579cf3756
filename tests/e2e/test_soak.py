"""Some seconds of the soak of `make soak`: each part alone. A good client must not notice any of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import crd_files
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds
from tests.programs.soak.hostile import ATTEMPTS
from tests.programs.soak.run import Options, soak

pytestmark = pytest.mark.control_plane

#: A rate that is low enough for a machine that runs other tests at the same time.
_RATE = 25.0


@pytest.fixture(scope="module")
def plane(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with only the soak's nodes and objects, and the groups that it needs."""
    crds = crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev", "inference.networking.x-k8s.io")
    with plane_with_crds(control_plane_assets, *crds) as plane:
        yield plane


def _options(seconds: float, *, replace_every: float = 0, rotate_every: float = 0, hostile: float = 0) -> Options:
    return Options(seconds, _RATE, 2, replace_every, rotate_every, hostile, drain=3.0, delay=0.5, settle=2.0)


def test_nothing_is_lost_while_replicas_are_replaced_one_after_the_other(plane: ControlPlane, tmp_path: Path) -> None:
    tally = soak(plane, tmp_path, _options(12, replace_every=1)).tally
    assert (tally.failures, tally.lost, tally.wrong) == ({}, {}, {})
    assert tally.replacements >= 1
    assert tally.requests >= 12 * _RATE


def test_nothing_is_lost_while_the_certificate_and_its_authority_are_rotated(plane: ControlPlane, tmp_path: Path) -> None:
    tally = soak(plane, tmp_path, _options(10, rotate_every=0.5)).tally
    assert (tally.failures, tally.lost, tally.wrong) == ({}, {}, {})
    assert tally.rotations >= 1
    assert tally.requests >= 10 * _RATE


def test_nothing_is_lost_while_clients_are_hostile(plane: ControlPlane, tmp_path: Path) -> None:
    # Each kind comes about twice; the Service's own calls are as many as in the other tests.
    often = 2 * sum(attempt.connections for attempt in ATTEMPTS) / (15 * _RATE)
    outcome = soak(plane, tmp_path, _options(15, hostile=often))
    assert (outcome.tally.failures, outcome.tally.lost, outcome.tally.wrong) == ({}, {}, {})
    assert outcome.tally.hostile.total() >= sum(attempt.connections for attempt in ATTEMPTS)
    assert not [line for line in outcome.tally.logged if line.startswith("error")]
