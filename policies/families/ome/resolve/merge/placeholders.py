"""Placeholders in the main container: OME runs its JSON through Go's templates, with the service's metadata.

A quotation mark within the braces never parses, since the text is JSON. Source: OME v0.1.5,
pkg/controller/v1beta1/inferenceservice/utils/utils.go (ReplacePlaceholders).
"""

from __future__ import annotations

import re
from typing import Final

from policies.fields import text, text_map
from policies.objects import JSONObject, JSONValue, metadata_of

_PLACEHOLDER: Final = re.compile(r"\{\{-?(.*?)-?\}\}", re.DOTALL)
_FIELD: Final = re.compile(r"\.(Name|Namespace|Labels|Annotations)(?:\.(\w+))?")


class PlaceholderError(Exception):
    """A placeholder that Go's templates refuse, or whose value isn't known here."""


def replaced(value: JSONValue, service: JSONObject) -> JSONValue:
    """A container with all placeholders replaced. Raises PlaceholderError."""
    if isinstance(value, dict):
        return {_text(key, service): replaced(item, service) for key, item in value.items()}
    if isinstance(value, list):
        return [replaced(item, service) for item in value]
    return _text(value, service) if isinstance(value, str) else value


def _text(value: str, service: JSONObject) -> str:
    if "{{" not in value:
        return value
    out = _PLACEHOLDER.sub(lambda match: _value(match[1].strip(), service), value)
    if "{{" in out:
        raise PlaceholderError(f"{value!r} opens a placeholder and doesn't close it")
    return out


def _value(expression: str, service: JSONObject) -> str:
    found = _FIELD.fullmatch(expression)
    if found is None or (found[2] is not None) is not (found[1] in ("Labels", "Annotations")):
        raise PlaceholderError(f"{{{{{expression}}}}} is no field that OME's templates can read")
    metadata = metadata_of(service)
    if found[2] is None:
        return text(metadata, found[1].lower())
    return text_map(metadata, found[1].lower()).get(found[2], "<no value>")
