"""A separate control plane for the installation, and helm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.tools import HELM, PROMQL


@pytest.fixture(scope="session")
def helm() -> Path:
    """The path of helm; the test is skipped if it hasn't been built."""
    program = HELM.find()
    if program is None:
        pytest.skip("helm isn't built; build it (needs Go) with: make control-plane")
    return program


@pytest.fixture(scope="session")
def promql() -> Path:
    """The program around Prometheus' engine; the test is skipped if it hasn't been built."""
    program = PROMQL.find()
    if program is None:
        pytest.skip("the engine of PromQL isn't built; build it (needs Go) with: make control-plane")
    return program


@pytest.fixture(scope="module")
def empty_plane(control_plane_assets: Assets) -> Iterator[ControlPlane]:
    """An empty control plane, for the tests of one file."""
    with ControlPlane(control_plane_assets) as plane:
        yield plane
