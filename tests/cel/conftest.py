"""Expected values and costs are those of Kubernetes 1.36; `tests/releases` has the differences of other releases."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def recorded_release(request: pytest.FixtureRequest) -> None:
    """Judges by the release that the expectations come from, unless a test asks a server."""
    if request.node.get_closest_marker("control_plane") is None:
        request.getfixturevalue("kubernetes_1_36")
