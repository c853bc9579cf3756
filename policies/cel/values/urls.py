"""URLs as Go's `net/url` parses them, with its error messages.

Go works on bytes, so texts are bytes in latin-1 here, and results are decoded again. Source: Go 1.26 `net/url/url.go`.
"""

from __future__ import annotations

import re
from typing import Final

from weighbridge.policies.cel.values import errors
from weighbridge.policies.cel.values.addresses import AddressError, parse_address
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

_UNRESERVED: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"
_PATH_SAFE: Final = frozenset(_UNRESERVED + "$&+,/:;=@")
_HOST_SAFE: Final = frozenset(_UNRESERVED + "!$&'()*+,;=:[]<>\"")
_RAW_PATH: Final = frozenset(_UNRESERVED + "!$&'()*+,;=:@[]%/")
_FRAGMENT_SAFE: Final = frozenset(_UNRESERVED + "$&+,/:;=?@!()*")
_SCHEME: Final = expression(r"[A-Za-z][A-Za-z0-9+.-]*:")
_USER: Final = expression(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
_PORT: Final = expression(r"(?::[0-9]*)?", re.ASCII)
_HEX: Final = frozenset("0123456789abcdefABCDEF")


class UrlError(ValueError):
    """The text isn't a URL; the message is Go's."""


@dataclass(frozen=True, slots=True)
class Url:
    """The parts of a URL; two are equal if their `identity` is."""

    scheme: str
    host: str
    path: str
    query: str
    identity: tuple[str, ...]

    @property
    def hostname(self) -> str:
        """The host without port and brackets."""
        host, _ = self._split()
        return host[1:-1] if host.startswith("[") and host.endswith("]") else host

    @property
    def port(self) -> str:
        """The port, or the empty string."""
        return self._split()[1]

    def _split(self) -> tuple[str, str]:
        host, colon, port = self.host.rpartition(":")
        return (host, port) if colon and _PORT.fullmatch(f":{port}") else (self.host, "")

    def parameters(self) -> dict[str, list[str]]:
        """The query's parameters; malformed ones are left out."""
        found: dict[str, list[str]] = {}
        for part in _bytes(self.query).split("&"):
            if part and ";" not in part:
                key, _, value = part.partition("=")
                try:
                    found.setdefault(_text(_unescape(key, plus=True)), []).append(_text(_unescape(value, plus=True)))
                except UrlError:
                    continue
        return {key: values for key, values in found.items() if values}


def _bytes(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _text(raw: str) -> str:
    return raw.encode("latin-1").decode("utf-8", "replace")


def parse_request_uri(text: str) -> None:
    """Check that `text` is an absolute URL or path; raises UrlError."""
    try:
        _parse(_bytes(text), request=True)
    except UrlError as error:
        raise UrlError(errors.unreadable_url(text, error)) from None


def parse_url(text: str) -> Url:
    """Parse a URL with its fragment; raises UrlError."""
    body, _, fragment = _bytes(text).partition("#")
    # Only an error of the fragment names the whole text.
    named = text.partition("#")[0]
    try:
        scheme, authority, path, query, opaque = _parse(body, request=False)
        named = text
        fragment = _escaped(_unescape(fragment), _FRAGMENT_SAFE)
    except UrlError as error:
        raise UrlError(errors.unreadable_url(named, error)) from None
    user, host = authority or ("", "")
    forced = "?" if "?" in body else ""
    parts = (scheme, opaque, user, host, "" if authority is None else "//", path, forced, query, fragment)
    return Url(scheme, _text(host), _text(path), _text(query), parts)


def _parse(text: str, *, request: bool) -> tuple[str, tuple[str, str] | None, str, str, str]:
    if any(char < " " or char == "\x7f" for char in text):
        raise UrlError(errors.CONTROL_CHARACTER)
    if not text and request:
        raise UrlError(errors.EMPTY_URL)
    if text == "*":
        return "", None, "*", "", ""
    if text.startswith(":"):
        raise UrlError(errors.NO_SCHEME)
    match = _SCHEME.match(text)
    scheme = match.group()[:-1].lower() if match else ""
    rest, _, query = (text[match.end() :] if match else text).partition("?")
    if not rest.startswith("/"):
        if scheme:
            return scheme, None, "", query, rest
        if request:
            raise UrlError(errors.NO_REQUEST_URI)
        if ":" in rest.partition("/")[0]:
            raise UrlError(errors.COLON_IN_FIRST_SEGMENT)
    authority = None
    if rest.startswith("//") and (scheme or (not request and not rest.startswith("///"))):
        end = rest.find("/", 2)
        end = len(rest) if end < 0 else end
        authority = _authority(scheme, rest[2:end])
        rest = rest[end:]
    return scheme, authority, _path(rest), query, ""


def _path(raw: str) -> str:
    """The path in its escaped form: as written if that is valid."""
    path = _unescape(raw)
    return raw if set(raw) <= _RAW_PATH else _escaped(path, _PATH_SAFE)


def _escaped(text: str, safe: frozenset[str]) -> str:
    return "".join(char if char in safe else f"%{ord(char):02X}" for char in text)


def _authority(scheme: str, authority: str) -> tuple[str, str]:
    user, at, host = authority.rpartition("@")
    host = _host(scheme, host)
    if at and not _USER.fullmatch(user):
        raise UrlError(errors.INVALID_USER)
    return (_unescape(user) + at, host)


def _host(scheme: str, host: str) -> str:
    bracket = host.rfind("[")
    if bracket > 0:
        raise UrlError(errors.INVALID_LITERAL)
    if bracket == 0:
        return _ip_literal(host)
    first, last = host.find(":"), host.rfind(":")
    if first >= 0:
        _check_port(host[first if scheme in ("http", "https") else last :])
    return _unescape_host(host)


def _check_port(port: str) -> None:
    if not _PORT.fullmatch(port):
        raise UrlError(errors.invalid_port(_text(port)))


def _ip_literal(host: str) -> str:
    end = host.rfind("]")
    if end < 0:
        raise UrlError(errors.NO_CLOSING_BRACKET)
    _check_port(host[end + 1 :])
    address, percent, zone = host[1:end].partition("%25")
    name = _unescape_host(address) + (_unescape_zone("%25" + zone) if percent else "")
    try:
        found, _ = parse_address(name)
    except AddressError as error:
        raise UrlError(errors.invalid_host(error)) from None
    if found.version == 4:
        raise UrlError(errors.INVALID_LITERAL)
    return f"[{name}]{host[end + 1 :]}"


def _unescape(text: str, *, plus: bool = False) -> str:
    out = []
    position = 0
    while position < len(text):
        char = text[position]
        if char == "%":
            out.append(chr(int(_escape_at(text, position)[1:], 16)))
            position += 3
            continue
        out.append(" " if char == "+" and plus else char)
        position += 1
    return "".join(out)


def _escape_at(text: str, position: int) -> str:
    found = text[position : position + 3]
    if len(found) < 3 or not set(found[1:]) <= _HEX:
        raise UrlError(errors.invalid_escape(_text(found)))
    return found


def _unescape_host(text: str) -> str:
    for position, char in enumerate(text):
        if char == "%":
            found = _escape_at(text, position)
            if found[1] in "01234567" and found != "%25":
                raise UrlError(errors.invalid_escape(found))
        elif char < "\x80" and char not in _HOST_SAFE:
            raise UrlError(errors.invalid_in_host(char))
    return _unescape(text)


def _unescape_zone(text: str) -> str:
    for position, char in enumerate(text):
        if char == "%":
            found = _escape_at(text, position)
            code = chr(int(found[1:], 16))
            if found != "%25" and code != " " and code not in _HOST_SAFE:
                raise UrlError(errors.invalid_escape(found))
        elif char < "\x80" and char not in _HOST_SAFE:
            raise UrlError(errors.invalid_in_host(char))
    return _unescape(text)
