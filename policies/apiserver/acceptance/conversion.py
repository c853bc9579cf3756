"""How a definition converts between its versions: not at all, or by a webhook.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.webhook_client import service_errors, url_errors
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import repeats
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.names import dns1035_label

_REVIEW_VERSIONS: Final = ("v1", "v1beta1")
_CERTIFICATE: Final = expression(r"-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)-----END CERTIFICATE-----")
_ANY_BLOCK: Final = expression(r"-----BEGIN ([^\n]*?)-----\s.*?-----END \1-----", re.DOTALL)
_SEQUENCE: Final = b"\x30"


def has_recognized_review_version(versions: list[str]) -> bool:
    """Whether one of the review versions is supported by servers."""
    return any(version in _REVIEW_VERSIONS for version in versions)


def review_versions(conversion: JSONObject | None) -> list[str]:
    """The review versions that the webhook supports."""
    return ((conversion or {}).get("webhook") or {}).get("conversionReviewVersions") or []


def conversion_errors(conversion: JSONObject | None, path: FieldPath, options: Options) -> Iterator[FieldError]:
    """The errors of ``spec.conversion``."""
    if conversion is None:
        return
    strategy = conversion.get("strategy", "")
    if not strategy:
        yield (path / "strategy").required()
    elif strategy not in ("None", "Webhook"):
        yield (path / "strategy").not_supported(strategy, ("None", "Webhook"))
    client = (conversion.get("webhook") or {}).get("clientConfig")
    versions = review_versions(conversion)
    where = path / "webhookClientConfig"
    if strategy != "Webhook":
        if client is not None:
            yield where.forbidden(wordings.NOT_OF_STRATEGY)
        if versions:
            yield (path / "conversionReviewVersions").forbidden(wordings.NOT_OF_STRATEGY)
        return
    if client is None:
        yield where.required(wordings.NO_CLIENT)
    else:
        yield from _client(client, where)
        if client.get("caBundle") and not options.allow_bad_ca_bundle:
            yield from ca_bundle_errors(client["caBundle"], where / "caBundle")
    yield from _versions(versions, path / "conversionReviewVersions", recognized=options.recognized_review_version)


def _client(client: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield path.required(wordings.NOT_URL_OR_SERVICE)
    elif url is not None:
        yield from url_errors(url, path / "url")
    elif service is not None:
        yield from service_errors(service, path / "service")


def _versions(versions: list[str], path: FieldPath, *, recognized: bool) -> Iterator[FieldError]:
    if not versions:
        yield path.required()
        return
    for index, (version, is_repeated) in enumerate(zip(versions, repeats(versions), strict=True)):
        if is_repeated:
            yield path[index].invalid(version, wordings.DUPLICATE_REVIEW_VERSION)
            continue
        for message in dns1035_label(version):
            yield path[index].invalid(version, message)
    if recognized and not has_recognized_review_version(versions):
        yield path.invalid(versions, wordings.no_known_review_version(_REVIEW_VERSIONS))


def ca_bundle_errors(bundle: str, path: FieldPath) -> Iterator[FieldError]:
    """The error of a CA bundle (base64) without a certificate.

    Only the outer form is checked: a block that is labelled as a certificate and has an ASN.1 sequence counts as one.
    """
    text = base64.b64decode(bundle).decode("latin-1")
    if any(_is_certificate(match[1]) for match in _CERTIFICATE.finditer(text)):
        return
    why = wordings.NO_CERTIFICATE if _ANY_BLOCK.search(text) else wordings.NO_PEM_BLOCK
    yield path.invalid_text(json_text(bundle), wordings.unusable_ca_bundle(why))


def _is_certificate(block: str) -> bool:
    try:
        return base64.b64decode("".join(block.split()), validate=True).startswith(_SEQUENCE)
    except (binascii.Error, ValueError):
        return False
