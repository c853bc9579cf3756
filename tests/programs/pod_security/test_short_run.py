"""A few hundred pods and workloads get the same answers under Pod Security Standards as from a real API server. `make differential`
compares thousands.
"""

from __future__ import annotations

import pytest

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.pod_security.comparison import compare

pytestmark = pytest.mark.control_plane


def test_pods_and_workloads_are_judged_word_for_word_as_by_the_server(control_plane: ControlPlane) -> None:
    with Connections(control_plane) as connections:
        found = compare(connections, 3, spaces=30, pods=250, workloads=120)
    assert found.differences == []
    assert found.pods + found.workloads > 250
    assert min(found.refused, found.warned) > 50
