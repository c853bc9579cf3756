"""A real API server that tests ask about pods."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections


@pytest.fixture(scope="session")
def server(control_plane: ControlPlane) -> Iterator[Connections]:
    """Connections to a server with a namespace `pods`, for all files of this folder: no controller finishes deletions here."""
    with Connections(control_plane) as connections:
        connections.send_value("POST", "/api/v1/namespaces", {"metadata": {"name": "pods"}})
        yield connections
