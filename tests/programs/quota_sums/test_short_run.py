"""Quotas refuse the same parts of some changes here as on a real API server. `make differential` compares a thousand changes."""

from __future__ import annotations

import pytest

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.quota_sums.comparison import compare

pytestmark = pytest.mark.control_plane


def test_the_first_object_that_the_server_refuses_is_named_before(control_plane: ControlPlane) -> None:
    with Connections(control_plane) as connections:
        found = compare(connections, 2, 60)
    assert found.differences == []
    assert found.refused > 15
