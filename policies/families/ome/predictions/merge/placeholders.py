"""Placeholders in the main container: OME renders its JSON with Go's templates for HTML and the service's metadata.

The value of a placeholder is escaped as HTML; for a missing label or annotation it is empty. A quotation mark, a backslash or an angle
bracket within the braces never parses, since the text is JSON. This module evaluates the fields that people use, their length, texts in
backquotes and comments. The results of control structures, variables and other functions aren't known.

Sources: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go (ReplacePlaceholders); Go 1.24, text/template and
html/template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of

_OPEN: Final = "{{"
_CLOSE: Final = "}}"
_SPACE: Final = " "
#: Characters that JSON escapes with a backslash, on which Go's lexer fails within braces.
_ESCAPED: Final = expression(r"[\"\\<>&\x00-\x1f\u2028\u2029]")
_FIELD: Final = expression(r"\.([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)*)")
_MEASURED: Final = expression(r"len +(\S+)|(\S+) *\| *len")
_LITERAL: Final = expression(r"[0-9]+|true|false")
_TEXTS: Final = ("Name", "Namespace")
_MAPS: Final = ("Labels", "Annotations")
#: The fields of metadata that are known only once the service is stored; methods of it begin with Get.
_LATER: Final = expression(
    r"\.(?:GenerateName|SelfLink|UID|ResourceVersion|Generation|(?:Creation|Deletion)Timestamp|DeletionGracePeriodSeconds"
    r"|OwnerReferences|Finalizers|ManagedFields|Get\w*)\b"
)
#: What a placeholder may begin with instead of a field: words of Go's templates, variables, brackets, signs and characters.
_OTHER: Final = expression(
    r"(?:if|else|end|range|with|define|template|block|break|continue|nil|and|call|html|index|slice|js|len|not|or|print|printf|println"
    r"|urlquery|eq|ge|gt|le|lt|ne|true|false)\b|\$|\(|\.$|[+-]?[0-9]|'.'|`|\.\S*[ |]"
)
_HTML: Final = str.maketrans({'"': "&#34;", "&": "&amp;", "'": "&#39;", "+": "&#43;", "<": "&lt;", ">": "&gt;"})


class PlaceholderError(Exception):
    """A placeholder that Go's templates refuse."""


class UnknownPlaceholderError(Exception):
    """A placeholder whose value isn't known here."""


def replaced(value: JSONValue, service: JSONObject) -> JSONValue:
    """A container with all placeholders replaced. Raises PlaceholderError and UnknownPlaceholderError."""
    if isinstance(value, dict):
        return {_text(key, service): replaced(item, service) for key, item in value.items()}
    if isinstance(value, list):
        return [replaced(item, service) for item in value]
    return _text(value, service) if isinstance(value, str) else value


def fault_of(words: str) -> str:
    """Why Go's templates refuse a text; empty if they accept it, or if that isn't known."""
    try:
        _text(words, {})
    except PlaceholderError as error:
        return str(error)
    except UnknownPlaceholderError:
        return ""
    return ""


def _text(words: str, service: JSONObject) -> str:
    if _OPEN not in words:
        return words
    out, unknown = "", ""
    for literal, action in _parts(words):
        out += literal
        try:
            out += _value(action, service) if action is not None else ""
        except UnknownPlaceholderError as error:
            unknown = unknown or str(error)
    if unknown:
        raise UnknownPlaceholderError(unknown)
    return out


def _parts(words: str) -> Iterator[tuple[str, str | None]]:
    """Each literal text with the placeholder that follows it; the last has none. Dashes inside the braces remove the spaces outside."""
    trims, at = False, 0
    while (start := words.find(_OPEN, at)) >= 0:
        literal, begin = words[at:start], start + len(_OPEN)
        end = _end(words, begin)
        action = words[begin:end]
        literal = literal.lstrip(_SPACE) if trims else literal
        if action.startswith("- "):
            literal, action = literal.rstrip(_SPACE), action[2:]
        trims = action.endswith(" -")
        yield literal, action.removesuffix(" -").strip(_SPACE)
        at = end + len(_CLOSE)
    yield words[at:].lstrip(_SPACE) if trims else words[at:], None


def _end(words: str, begin: int) -> int:
    """The index at which a placeholder ends; braces within backquotes and comments don't close it."""
    at = begin
    while at < len(words):
        if words.startswith("/*", at):
            at = words.find("*/", at) + 2
            if at < 2:
                break
        elif words[at] == "`":
            at = words.find("`", at + 1) + 1
            if at < 1:
                break
        elif words.startswith(_CLOSE, at):
            return at
        elif _ESCAPED.match(words[at]):
            raise PlaceholderError(f"{words[begin - 2 :]!r} has {words[at]!r} between its braces, which Go's templates don't take in JSON")
        else:
            at += 1
    raise PlaceholderError(f"{words!r} opens a placeholder and doesn't close it")


def _value(action: str, service: JSONObject) -> str:
    if action.startswith("/*"):
        return ""
    if re.fullmatch(r"`[^`]*`", action):
        if '"' in action:
            raise PlaceholderError(f"{{{{{action}}}}} has a quotation mark, which spoils the JSON around it")
        return action[1:-1].translate(_HTML | str.maketrans({"<": "<", ">": ">", "&": "&"}))
    if _LITERAL.fullmatch(action):
        return action
    if measured := _MEASURED.fullmatch(action):
        return str(len(_field(measured[1] or measured[2], service)))
    found = _field(action, service)
    plain = found if isinstance(found, str) else f"map[{' '.join(f'{key}:{value}' for key, value in sorted(found.items()))}]"
    if re.search(r"[\\\x00-\x1f]", plain):
        raise UnknownPlaceholderError(f"{{{{{action}}}}} gives a text with a backslash or a control character")
    return plain.translate(_HTML)


def _field(expression: str, service: JSONObject) -> str | dict[str, str]:
    """A field of the service's metadata."""
    metadata = metadata_of(service)
    if found := _FIELD.fullmatch(expression):
        name, keys = found[1], found[2].split(".")[1:]
        if name in _TEXTS and not keys:
            return text(metadata, name.lower())
        if name in _MAPS and len(keys) <= 1:
            values = text_map(metadata, name.lower())
            return values.get(keys[0], "") if keys else values
    if _LATER.match(expression) or (not found and _OTHER.match(expression)):
        raise UnknownPlaceholderError(f"what OME's templates write for {{{{{expression}}}}} isn't known")
    raise PlaceholderError(f"{{{{{expression}}}}} isn't a field that OME's templates can read")
