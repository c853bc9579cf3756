"""A URI in text, as Go's ``net/url.ParseRequestURI`` reads it: an absolute URL, or a path that begins with a slash.

Source: Go 1.26 ``net/url/url.go``; lengths and character classes are of bytes, but only ASCII bytes matter.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from weighbridge.policies.ground.expressions import expression

_CONTROL: Final = expression(r"[\x00-\x1f\x7f]")
_SCHEME: Final = expression(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_ESCAPED: Final = expression(r"(?:[^%]|%[0-9a-fA-F]{2})*")
_USER: Final = expression(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
#: A host: unescaped ASCII that it may hold, any character beyond ASCII, and escapes of bytes beyond ASCII or of the percent sign.
_HOST: Final = expression(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:\[\]<>\"]|[^\x00-\x7f]|%(?:[89a-fA-F][0-9a-fA-F]|25))*")
#: In a zone a space, and characters that a host may hold, can be escaped too.
_ZONE: Final = expression(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:\[\]<>\"]|[^\x00-\x7f]|%[0-9a-fA-F]{2})*")
_ZONE_ESCAPES: Final = expression(r"%([0-9a-fA-F]{2})")
_ZONE_BYTES: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:[]<>\" %")
_PORT: Final = expression(r"(?::[0-9]*)?")


def is_request_uri(text: str) -> bool:
    """Whether `text` is an absolute URI or an absolute path."""
    if not text or _CONTROL.search(text) or text.startswith(":"):
        return False
    if text == "*":
        return True
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    rest = text[match.end() :] if match else text
    rest = rest.partition("?")[0]
    if not rest.startswith("/"):
        return bool(scheme)
    if scheme and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        if not _is_authority(scheme, authority):
            return False
        rest = slash + path
    return _ESCAPED.fullmatch(rest) is not None


def is_http_url(text: str) -> bool:
    """Whether ``url.Parse`` reads `text` as a URL with http or https and a host; a port alone counts as a host."""
    base, _, fragment = text.partition("#")
    scheme, _, rest = base.partition("://")
    if scheme.lower() not in ("http", "https") or not is_request_uri(base) or not _ESCAPED.fullmatch(fragment):
        return False
    return bool(re.split("[/?]", rest, maxsplit=1)[0].rpartition("@")[2])


def _is_authority(scheme: str, authority: str) -> bool:
    user, at, host = authority.rpartition("@")
    if not _is_host(scheme, host):
        return False
    return not at or (_USER.fullmatch(user) is not None and _ESCAPED.fullmatch(user) is not None)


def _is_host(scheme: str, host: str) -> bool:
    bracket = host.rfind("[")
    if bracket > 0:
        return False
    if bracket == 0:
        return _is_ip_literal(host)
    first, last = host.find(":"), host.rfind(":")
    if first >= 0 and not _PORT.fullmatch(host[first if scheme in ("http", "https") else last :]):
        return False
    return _HOST.fullmatch(host) is not None


def _is_ip_literal(host: str) -> bool:
    """``[address]`` or ``[address%25zone]``, and a port."""
    end = host.rfind("]")
    if end < 0 or not _PORT.fullmatch(host[end + 1 :]):
        return False
    address, percent, zone = host[1:end].partition("%25")
    if not _HOST.fullmatch(address) or not _ZONE.fullmatch(zone):
        return False
    if any(int(code, 16) not in _ZONE_BYTES for code in _ZONE_ESCAPES.findall(zone)):
        return False
    if percent and not zone:
        return False
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return "%" not in address
