"""The annotation that a definition in one of Kubernetes' own groups must carry.

Source: k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go and pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.cel.values.urls import UrlError, parse_request_uri, parse_url
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject, metadata_of

ANNOTATION: Final = "api-approved.kubernetes.io"
_OWN_GROUPS: Final = ("k8s.io", "kubernetes.io")


class _Approval(StrEnum):
    MISSING = "missing"
    BYPASSED = "bypassed"
    APPROVED = "approved"
    INVALID = "invalid"


def approval_errors(definition: JSONObject, old: JSONObject | None) -> Iterator[FieldError]:
    """The error of a missing or wrong approval. An update may keep what the stored definition has."""
    group: str = (definition.get("spec") or {}).get("group", "")
    if not any(group == own or group.endswith(f".{own}") for own in _OWN_GROUPS):
        return
    state = _approval(definition)
    if old is not None and _approval(old) is state:
        return
    where = (FieldPath("metadata") / "annotations")[ANNOTATION]
    if state is _Approval.INVALID:
        yield where.invalid(_annotation(definition), wordings.invalid_approval(ANNOTATION))
    elif state is _Approval.MISSING:
        yield where.required(wordings.not_approved(ANNOTATION))


def _annotation(definition: JSONObject) -> str:
    return str((metadata_of(definition).get("annotations") or {}).get(ANNOTATION, ""))


def _approval(definition: JSONObject) -> _Approval:
    annotation = _annotation(definition)
    if not annotation:
        return _Approval.MISSING
    if annotation.startswith("unapproved"):
        return _Approval.BYPASSED
    try:
        parse_request_uri(annotation)
        url = parse_url(annotation)
    except UrlError:
        return _Approval.INVALID
    return _Approval.APPROVED if url.scheme and url.host else _Approval.INVALID
