"""A source that the operator has to download itself: its HTTP client refuses every scheme but http and https.

The texts are Go's: net/url refuses hosts and ports, net/http refuses schemes, and addresses are printed as net/url prints them. Source:
LLMKube v0.9.19, internal/controller/model_controller.go; Go's net/url and net/http.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import quote

_SCHEME: Final = expression(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
_HOST_MAY_HOLD: Final = expression(r"[A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"%\x80-\U0010ffff]")
_PATH_MAY_HOLD: Final = expression(r"[A-Za-z0-9\-_.~!$&'()*+,;=:@\[\]/%]*")
_PATH_SAFE: Final = "$&+,/:;=@-_.~"


def download_problem(address: str) -> str:
    """The operator's text if its client refuses an address at once; empty if the client would send a request."""
    refused = _refused(address)
    return f"failed to download: {refused}" if refused else ""


def _refused(address: str) -> str:
    found = _SCHEME.match(address)
    scheme, rest = (found[1].lower(), found[2]) if found is not None else ("", address)
    if scheme in {"http", "https"}:
        return ""
    host, path = "", rest
    if rest.startswith("//"):
        host, path = _split_host(rest[2:])
        fault = _host_fault(host)
        if fault:
            return f"parse {quote(address)}: {fault}"
    return f'Get {quote(_written(scheme, host, path))}: unsupported protocol scheme "{scheme}"'


def _split_host(rest: str) -> tuple[str, str]:
    end = next((index for index, char in enumerate(rest) if char in "/?#"), len(rest))
    return rest[:end], rest[end:]


def _host_fault(authority: str) -> str:
    host = authority.rpartition("@")[2]
    strange = next((char for char in host if not _HOST_MAY_HOLD.fullmatch(char)), "")
    if strange:
        return f"invalid character {quote(strange)} in host name"
    _, colon, port = host.rpartition(":")
    if colon and not host.startswith("[") and not re.fullmatch("[0-9]*", port):
        return f"invalid port {quote(colon + port)} after host"
    return ""


def _written(scheme: str, authority: str, path: str) -> str:
    """An address as Go prints it after parsing."""
    path, mark, tail = _cut(path)
    if not _PATH_MAY_HOLD.fullmatch(path):
        from urllib.parse import quote as percent_encoded

        path = percent_encoded(path, safe=_PATH_SAFE)
    start = f"{scheme}:" if scheme else ""
    return f"{start}{'//' if authority or (path and scheme) else ''}{authority}{path}{mark}{tail}"


def _cut(path: str) -> tuple[str, str, str]:
    for mark in "?#":
        before, found, after = path.partition(mark)
        if found:
            return before, found, after
    return path, "", ""
