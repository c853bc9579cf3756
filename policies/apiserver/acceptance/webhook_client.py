"""Checks the address of a webhook: a URL, or a Service in the cluster.

Source: k8s.io/apiserver/pkg/util/webhook/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.cel.values.urls import UrlError, parse_url
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import dns1123_subdomain

_MAX_PORT: Final = 65535
_USER: Final = expression(r"//([^/?#]*)@")


def url_errors(text: str, path: FieldPath) -> Iterator[FieldError]:
    """The errors of a webhook's URL."""
    try:
        url = parse_url(text)
    except UrlError as error:
        yield path.required(wordings.invalid_url(error))
        return
    if url.scheme != "https":
        yield path.invalid(url.scheme, wordings.NOT_HTTPS)
    if not url.host:
        yield path.invalid(url.host, wordings.NO_HOST)
    user = _USER.search(text)
    if user is not None:
        yield path.invalid(user[1], wordings.USER_IN_URL)
    fragment = text.partition("#")[2]
    if fragment:
        yield path.invalid(fragment, wordings.FRAGMENT_IN_URL)
    if url.query:
        yield path.invalid(url.query, wordings.QUERY_IN_URL)


def service_errors(service: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of a reference to the Service of a webhook."""
    # The server confuses the two: a missing namespace is reported as the name, and a missing name as the namespace.
    if not service.get("namespace"):
        yield (path / "name").required()
    if not service.get("name"):
        yield (path / "namespace").required()
    port = service.get("port", 443)
    if not 1 <= port <= _MAX_PORT:
        yield (path / "port").invalid(port, wordings.invalid_port(_MAX_PORT))
    if service.get("path") not in (None, "", "/"):
        yield from _path(service["path"], path / "path")


def _path(text: str, path: FieldPath) -> Iterator[FieldError]:
    if text == "//":
        yield path.invalid(text, wordings.empty_segment(0))
        return
    if not text.startswith("/"):
        yield path.invalid(text, wordings.PATH_WITHOUT_SLASH)
    # As in Go, the first byte is dropped whatever it is.
    rest = text.encode(errors="replace")[1:].decode(errors="replace").removesuffix("/")
    for index, step in enumerate(rest.split("/")):
        if not step:
            yield path.invalid(text, wordings.empty_segment(index))
            continue
        for message in dns1123_subdomain(step):
            yield path.invalid(text, wordings.invalid_segment(index, message))
