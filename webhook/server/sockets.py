"""The sockets of the server. They are bound before anything else starts, so that a port in use is an error of the command line."""

from __future__ import annotations

import os
import socket


class ListenError(OSError):
    """The server can't listen on an address; the text says on which, and why."""


def listen(host: str, port: int) -> socket.socket:
    """A TCP socket bound to the address; ``::`` accepts IPv4 as well. Raises ListenError."""
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        both = family == socket.AF_INET6 and host in {"", "::"} and socket.has_dualstack_ipv6()
        return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=both)
    except OSError as error:
        # The socket module repeats the address in the error's own text.
        why = error.strerror if isinstance(error, socket.gaierror) or error.errno is None else os.strerror(error.errno)
        raise ListenError(f"can't listen on {host}:{port}: {why or error}") from error


def address(listener: socket.socket) -> str:
    """``host:port`` of a bound socket, with the actual port in place of 0."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
