"""The mistakes of a configuration with their places and valid values: pydantic's errors and ours in the same form."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args, get_type_hints

from pydantic_core import ErrorDetails

from weighbridge.policies.config import NamespaceSection
from weighbridge.policies.config.sections import key_of
from weighbridge.policies.families.configuration import document_type
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import Path
from weighbridge.webhook.configuration.mistake import Mistake, mistake_at, mistaken_key
from weighbridge.webhook.manifests import Document

#: Pydantic's errors about a key that a section doesn't have.
UNKNOWN: Final = frozenset({"unexpected_keyword_argument", "extra_forbidden"})
#: What the message wants instead of a value of a wrong type, by the beginning of the name of pydantic's error.
_WANTED: Final = {
    "int": ("not a whole number", "write a number such as 4096"),
    "bool": ("neither true nor false", ""),
    "list": ("not a list", "write a list"),
    "dict": ("not a map", "write a map"),
    "dataclass": ("not a map", "write a map"),
}
#: The steps that pydantic adds to a path if a word or a map is allowed, to say which one it means.
_WORD_OR_MAP: Final = expression(r"(literal|dict)\[.*\]")
#: Numbers from here on aren't shown digit by digit.
_LARGE: Final = 10**15
#: pydantic puts each allowed word between these.
_QUOTE: Final = "'"
_ALTERNATIVES: Final = (("str",), ("int",), ("float",))


def meant(details: Iterable[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Pydantic's errors by field. If a field takes a word or a map, only the errors about the form that was written are kept."""
    for entry in details:
        tag = next((step for step in entry["loc"] if isinstance(step, str) and _WORD_OR_MAP.fullmatch(step)), "")
        is_of_other_form = isinstance(entry["input"], dict) if tag.startswith("literal") else entry["type"] == "dict_type"
        if not tag:
            yield entry
        elif not is_of_other_form:
            yield {**entry, "loc": tuple(step for step in entry["loc"] if step != tag)}


def mistake_of(document: Document, details: ErrorDetails, section: Any) -> Mistake:
    """One of pydantic's errors about a document, which is read as a `section`."""
    path: Path = tuple(details["loc"])
    kind = details["type"]
    if kind in UNKNOWN:
        return mistaken_key(document, path, _unknown_key(path, section))
    if kind in {"missing", "missing_argument"}:
        return mistake_at(document, path, "missing")
    if path[-1:] in _ALTERNATIVES:
        # If one of several is enough, each is reported missing.
        return mistake_at(document, path[:-1], f"{_shown(details['input'])} is neither a text nor a number")
    return mistake_at(document, path, _said(kind, details))


def _said(kind: str, details: ErrorDetails) -> str:
    """What is wrong with a value, and what is allowed."""
    found, shown = details["input"], _shown(details["input"])
    if kind in {"literal_error", "enum"}:
        return f"write {details['ctx']['expected'].replace(_QUOTE, '')}, not {shown}"
    if kind == "string_type":
        return _not_text(found)
    what, instead = _WANTED.get(kind.partition("_")[0], ("", ""))
    if not what:
        return details["msg"][:1].lower() + details["msg"][1:]
    if kind == "int_parsing_size":
        what, instead = "too large a number", ""
    elif kind == "list_type" and isinstance(found, str):
        instead = f"write [{json_text(found[:64])}]"
    return f"{shown} is {what}" + (f"; {instead}" if instead else "")


def _not_text(found: object) -> str:
    """What to write instead of a value that must be text. YAML reads `1.10` and `yes` as other values than they look like."""
    if isinstance(found, (list, dict)):
        return f"must be text, not {_shown(found)}"
    is_whole = isinstance(found, int) and not isinstance(found, bool) and abs(found) < _LARGE
    return f'must be text: write "{found}"' if is_whole else f"must be text, not {_shown(found)}: put it in quotes"


def _shown(found: object) -> str:
    """A value as messages show it; of a list or a map only its kind."""
    if isinstance(found, str):
        return repr(found[:64])
    if isinstance(found, (list, dict)):
        return "a list" if isinstance(found, list) else "a map"
    return json_text(found)


def _unknown_key(path: Path, section: Any) -> str:
    held = _type_at(path[:-1], section)
    keys = _keys_of(held)
    near = difflib.get_close_matches(str(path[-1]), keys, n=1)
    if near:
        return f"unknown key; did you mean {near[0]}?"
    if isinstance(held, type) and issubclass(held, NamespaceSection) and path[-1] in _keys_of(document_type()):
        return "is allowed at the top of the cluster-wide document only"
    return f"unknown key; the keys here are {', '.join(sorted(keys))}"


def _type_at(path: Path, section: Any) -> Any:
    """The type of the value at a path of a section."""
    for step in path:
        section = _below(section, step)
    return section


def _keys_of(section: Any) -> list[str]:
    """The keys of a section of the configuration; none if the type isn't a section."""
    return [key_of(entry.name) for entry in fields(section)] if is_dataclass(section) else []


def _below(section: Any, step: object) -> Any:
    """The type of the value under a key of a section, in a map or in a list."""
    if is_dataclass(section):
        return next((hint for name, hint in get_type_hints(section).items() if key_of(name) == step), None)
    held = get_args(section)
    return held[-1] if held else None
