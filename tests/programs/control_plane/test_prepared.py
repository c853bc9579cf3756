"""A plane with definitions has them from the start, and no objects of another plane with the same definitions."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest

from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.crds import wait_until_served
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.prepared import complete_data, plane_with_crds

pytestmark = pytest.mark.control_plane

BRIDGES = Path(__file__).with_name("bridges.yaml")
BRIDGE = {"apiVersion": "test.weighbridge.dev/v1", "kind": "Bridge", "metadata": {"name": "a"}, "spec": {"tonnes": 1}}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder with the data of prepared planes, one of them used today and one long ago."""
    monkeypatch.setattr("tests.programs.control_plane.prepared.cache_root", lambda: tmp_path)
    for name in ("of-today", "of-long-ago"):
        (tmp_path / "data" / name).mkdir(parents=True)
    os.utime(tmp_path / "data" / "of-long-ago", (0, 0))
    return tmp_path / "data"


def folders(kept: Path) -> set[str]:
    """The names of the folders with data."""
    return {path.name for path in kept.iterdir() if path.is_dir()}


def test_two_planes_begin_with_the_same_definitions_and_share_nothing_else(control_plane_assets: Assets, kept: Path) -> None:
    with plane_with_crds(control_plane_assets, BRIDGES, users=[User("anna")]) as plane:
        plane.kubectl("apply", "-f", "-", input=json.dumps(BRIDGE), check=True)
        assert "Forbidden" in plane.kubectl("--context=anna", "get", "bridges").stderr
    (made,) = folders(kept) - {"of-today"}
    assert made != "of-long-ago"
    written = (kept / made / "member").stat()
    with plane_with_crds(control_plane_assets, BRIDGES) as plane:
        assert plane.kubectl("get", "bridges", check=True).stdout == ""
    assert folders(kept) == {"of-today", made}
    assert (kept / made / "member").stat() == written


def test_data_that_lack_a_definition_are_not_kept(control_plane_assets: Assets, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.programs.control_plane.prepared.install_crds", lambda *_: [])
    monkeypatch.setattr("tests.programs.control_plane.prepared.wait_until_served", partial(wait_until_served, timeout=1))
    with pytest.raises(AssertionError, match=r"bridges\.test\.weighbridge\.dev"):
        complete_data(control_plane_assets, [BRIDGES])
    assert folders(kept) == {"of-today"}
