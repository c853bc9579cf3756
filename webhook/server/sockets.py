"""The sockets that the server listens on, bound before anything else starts so that a port in use is an error of the command line."""

from __future__ import annotations

import os
import socket


class ListenError(OSError):
    """The address can't be listened on; the text says which and why."""


def listen(host: str, port: int) -> socket.socket:
    """A TCP socket bound to the address; ``::`` takes IPv4 as well. Raises ListenError."""
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        both = family == socket.AF_INET6 and host in {"", "::"} and socket.has_dualstack_ipv6()
        return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=both)
    except OSError as error:
        # The socket module puts the address into the error's own text once more.
        why = error.strerror if isinstance(error, socket.gaierror) or error.errno is None else os.strerror(error.errno)
        raise ListenError(f"can't listen on {host}:{port}: {why or error}") from error


def address(listener: socket.socket) -> str:
    """``host:port`` of a bound socket, with the port that was found for 0."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
