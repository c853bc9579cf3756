"""URLs: absolute ones, and absolute paths.

url('https://user@example.com:8080/a?b=1').getHost()  -> 'example.com:8080'
url('https://[::1]:80/').getHostname()                -> '::1'
url('/a%20b').getEscapedPath()                        -> '/a%20b'
url('/x?k=a&k=b').getQuery()                          -> {'k': ['a', 'b']}
isURL('a/b')                                          -> false
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from weighbridge.policies.cel.library.errors import invalid_url
from weighbridge.policies.cel.library.overload import EstimatedArguments, Library, one, one_estimated, traversal
from weighbridge.policies.cel.library.ranges import CallEstimate
from weighbridge.policies.cel.library.standard_logic import FLAT
from weighbridge.policies.cel.values.types import BOOL, STRING, list_of, map_of, struct
from weighbridge.policies.cel.values.urls import Url, UrlError, parse_request_uri, parse_url
from weighbridge.policies.cel.values.values import CelError, MapValue
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class UrlValue:
    """A URL as a CEL value."""

    url: Url

    cel_type: ClassVar[str] = "kubernetes.URL"
    go_type: ClassVar[str] = "cel.URL"

    def equals(self, other: object) -> bool | None:
        """Whether both have the same text; `None` if the other isn't a URL."""
        return self.url.identity == other.url.identity if isinstance(other, UrlValue) else None


def parse(text: str) -> UrlValue:
    """``url(text)``."""
    try:
        parse_request_uri(text)
        return UrlValue(parse_url(text))
    except UrlError as error:
        raise CelError(invalid_url(error)) from None


def is_url(text: str) -> bool:
    """``isURL(text)``."""
    try:
        parse_request_uri(text)
    except UrlError:
        return False
    return True


def _query(value: UrlValue) -> MapValue:
    found = MapValue()
    for key, values in value.url.parameters().items():
        found.put(key, values)
    return found


def _estimate(args: EstimatedArguments) -> CallEstimate:
    return CallEstimate(args.size(0).times(0.1), args.size(0))


TYPE: Final = struct("kubernetes.URL")
FLAT.add(UrlValue)
LIBRARY: Final = Library()
LIBRARY.function("url", "string_to_url", (STRING,), TYPE, parse, cost=traversal(0), estimate=_estimate)
LIBRARY.function("isURL", "is_url_string", (STRING,), BOOL, is_url)
_PARTS: Final[tuple[tuple[str, str, Callable[[UrlValue], str]], ...]] = (
    ("getScheme", "url_get_scheme", lambda value: value.url.scheme),
    ("getHost", "url_get_host", lambda value: value.url.host),
    ("getHostname", "url_get_hostname", lambda value: value.url.hostname),
    ("getPort", "url_get_port", lambda value: value.url.port),
    ("getEscapedPath", "url_get_escaped_path", lambda value: value.url.path),
)
for _name, _id, _call in _PARTS:
    LIBRARY.member(_name, _id, (TYPE,), STRING, _call, cost=one, estimate=one_estimated)
LIBRARY.member("getQuery", "url_get_query", (TYPE,), map_of(STRING, list_of(STRING)), _query, cost=one, estimate=one_estimated)
