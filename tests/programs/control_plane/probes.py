"""Asks a program over HTTP whether it is ready.

It uses http.client, since urllib would use the proxies of the environment even for loopback addresses.
"""

from __future__ import annotations

import http.client
import ssl
from pathlib import Path
from urllib.parse import urlsplit

PROBE_SECONDS = 2.0


def answers_ok(url: str, *, ca_file: Path | None = None, token: str | None = None) -> bool:
    """Whether a GET is answered with 200; also False without an answer, or with a certificate that isn't trusted.

    `ca_file` may not exist yet: the programs write their certificates some time after their start.
    """
    return body_if_ok(url, ca_file=ca_file, token=token) is not None


def body_if_ok(url: str, *, ca_file: Path | None = None, token: str | None = None) -> bytes | None:
    """The body of a GET that is answered with 200, else `None`, as for `answers_ok`."""
    try:
        status, body = _answer(url, ca_file, token)
    except (OSError, http.client.HTTPException):
        return None
    return body if status == http.HTTPStatus.OK else None


def _answer(url: str, ca_file: Path | None, token: str | None) -> tuple[int, bytes]:
    parts = urlsplit(url)
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        trust = ssl.create_default_context(cafile=ca_file)
        connection = http.client.HTTPSConnection(parts.netloc, context=trust, timeout=PROBE_SECONDS)
    else:
        connection = http.client.HTTPConnection(parts.netloc, timeout=PROBE_SECONDS)
    try:
        connection.request("GET", parts.path, headers={"Authorization": f"Bearer {token}"} if token else {})
        with connection.getresponse() as response:
            return response.status, response.read()
    finally:
        connection.close()
