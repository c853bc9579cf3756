"""The first check of a body: its apiVersion and kind, before anything else is read.

Source: k8s.io/apimachinery/pkg/runtime/serializer/json and apiserver/pkg/endpoints/handlers/rest.go, 1.36.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.refusal import Refusal, bad_request, unfit
from weighbridge.policies.ground.go_text import json_text, json_word
from weighbridge.policies.ground.objects import GroupVersionKind, JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.metadata_errors import no_group_version, not_unmarshalled

_SUMMARY_BYTES: Final = 30
#: How Go prints the type into which it reads apiVersion and kind.
_PROBE_TYPE: Final = r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'
_FIELDS: Final = {"kind": "kind", "apiversion": "apiVersion"}


@dataclass(frozen=True, slots=True)
class TypeMeta:
    """The type that a body claims; `version` may be empty."""

    api_version: str
    group: str
    version: str
    kind: str


def _summary(body: JSONValue) -> str:
    """The beginning of the body as the server quotes it: as text if it is a map, else in hexadecimal."""
    data = json_text(body).encode(errors="replace")
    cut = data[:_SUMMARY_BYTES]
    text = cut.decode(errors="replace") if data.startswith(b"{") else cut.hex()
    return f"{text} ..." if len(data) > _SUMMARY_BYTES else text


def _unrecognized(body: JSONValue, kind: str, why: str) -> Refusal:
    return bad_request(wordings.unrecognized(kind, why, _summary(body)))


@dataclass(slots=True)
class FirstLook:
    """The result of the server's first look at a body, which ignores the case of keys; `why` says why it finds nothing."""

    api_version: str = ""
    kind: str = ""
    why: str = ""


def first_look(body: JSONValue) -> FirstLook:
    """Read apiVersion and kind. If keys differ only in case, the last of the sorted keys counts."""
    found = FirstLook()
    if not isinstance(body, dict):
        found.why = "" if body is None else wordings.no_type(not_unmarshalled(json_word(body), _PROBE_TYPE))
        return found
    for key in sorted(body):
        field, value = _FIELDS.get(key.casefold()), body[key]
        if field is None or value is None:
            continue
        if not isinstance(value, str):
            found.why = wordings.no_type(not_unmarshalled(json_word(value), "string", f".{field}"))
            return found
        if field == "apiVersion":
            found.api_version = value
        else:
            found.kind = value
    if found.api_version.count("/") > 1:
        found.why = no_group_version(found.api_version)
    return found


def _without_kind(body: JSONValue, look: FirstLook, wanted: GroupVersionKind, *, validated: bool) -> Refusal:
    """The refusal of a body without a kind; its text depends on whether unknown fields are checked."""
    why = wordings.no_kind(json_text(body))
    if validated:
        return _unrecognized(body, wanted.kind, why)
    group, _, version = look.api_version.rpartition("/")
    if not version and group in {"", wanted.group}:
        version = wanted.version
    return unfit(look.kind or wanted.kind, version, wanted.kind, why)


def read_type_meta(body: JSONValue, wanted: GroupVersionKind, *, validated: bool) -> TypeMeta | Refusal:
    """The type of `body`, or the refusal of one that has none; `validated` says that field validation is Warn or Strict.

    The refusal quotes the body in compact JSON with sorted keys, which is how kubectl sends one.
    """
    look = first_look(body)
    if look.why:
        return _unrecognized(body, wanted.kind, look.why)
    kind = body.get("kind") if body is not None else None
    if not kind:
        return _without_kind(body, look, wanted, validated=validated)
    api_version = body.get("apiVersion", "")
    if api_version is None:
        return unfit(kind, "", wanted.kind, wordings.NULL_API_VERSION)
    if api_version.count("/") > 1:
        # The first look read a key in another case. Such keys don't count now, so the kind is missing too.
        return _without_kind(body, look, wanted, validated=validated)
    group, _, version = api_version.rpartition("/")
    return TypeMeta(api_version, group, version, kind)
