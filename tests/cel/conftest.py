"""Values and costs are those that Kubernetes 1.36 has given; `tests/releases` holds what other releases do."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def recorded_release(request: pytest.FixtureRequest) -> None:
    """Judge by the release that the expectations come from, unless a server is asked."""
    if request.node.get_closest_marker("control_plane") is None:
        request.getfixturevalue("kubernetes_1_36")
