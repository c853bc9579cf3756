"""Connections stay open, and one that the server has closed is opened again."""

from __future__ import annotations

import socket

from tests.programs.control_plane.kept import KeptConnections
from tests.programs.control_plane.plane import ControlPlane


def test_a_connection_that_was_closed_is_opened_anew(control_plane: ControlPlane) -> None:
    with KeptConnections(control_plane) as connections:
        assert connections.ask("GET", "/version", None, {}).code == 200
        [kept] = connections._idle.queue
        kept.sock.shutdown(socket.SHUT_RDWR)
        assert connections.ask("GET", "/version", None, {}).code == 200
        assert connections._idle.queue != [kept]
