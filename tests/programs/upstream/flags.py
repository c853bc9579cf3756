"""Compares an operator's present flags with the modelled ones: removed ones, other defaults, and flags that aren't modelled.

Flags are found in Go's source as the packages `flag` and `pflag` declare them. A default that is a constant is looked up in the source.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.programs.upstream.checkout import Checkout
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.records import fields

_KINDS: Final = "Bool|Duration|Float64|Int|Int32|Int64|String|StringArray|StringSlice|StringToString|Uint|Uint16|Uint32|Uint64"
_DECLARATION: Final = rf"\.({_KINDS})(Var)?(P)?\("
_NAME: Final = re.compile(r"(?:\w+\.)?(\w+)")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class _Flag:
    default: str
    path: str


def compared_flags(family: Family, upstream: Upstream, checkout: Checkout) -> Iterator[str]:
    """One line for each difference; none for a family without modelled flags."""
    modelled = _modelled(family)
    if not modelled:
        return
    there, release = _declared(checkout), checkout.revision(upstream.release)
    before = _declared(checkout, release) if release else None
    for name, default in sorted(modelled.items()):
        flag = there.get(name.lstrip("-"))
        if not name.startswith("-"):
            if not checkout.paths_with(name, ".go"):
                yield f"variable {name} is gone"
        elif flag is None:
            # A flag that was removed by the release is read for earlier releases.
            if before is None or name.lstrip("-") in before:
                yield f"{name} is gone"
        elif default is not None and (now := _value(flag.default, checkout)) != default:
            yield f"{name} has the default {now or 'of nothing'} in {flag.path}, and {default or 'nothing'} is modelled"
    known = {*(name.lstrip("-") for name in modelled), *(before or ())}
    programs = {flag.path for name, flag in there.items() if f"--{name}" in modelled}
    for name, flag in sorted(there.items()):
        if name not in known and flag.path in programs:
            yield f"--{name} is new, default {flag.default} ({flag.path})"


def _modelled(family: Family) -> Mapping[str, str | None]:
    """The modelled flags and variables, each with its default; `None` if the default isn't modelled."""
    module = f"{family.package}.operator"
    program = getattr(importlib.import_module(module), "PROGRAM", None) if importlib.util.find_spec(module) else None
    if program is None:
        return dict.fromkeys(sorted(name for name in family.needed.values if name.startswith("--")))
    settings = importlib.import_module(f"{family.package}.settings").OperatorDefaults
    defaults = {entry.metadata["flag"]: _written(entry.default) for entry in fields(settings) if entry.metadata.get("flag")}
    return {flag.name: defaults.get(flag.name) for flag in program.flags.values()}


def _written(default: Any) -> str:
    """A default as a flag's value; `None` and empty lists are an empty text."""
    if isinstance(default, bool):
        return str(default).lower()
    return "" if default is None or default == () else str(default)


def _declared(checkout: Checkout, revision: str = "") -> Mapping[str, _Flag]:
    found: dict[str, _Flag] = {}
    for path in checkout.paths_with(_DECLARATION, ".go", revision):
        if path.endswith("_test.go") or "/vendor/" in f"/{path}":
            continue
        text = checkout.text(path, revision)
        for declared in re.finditer(_DECLARATION, text):
            given = _arguments(text, declared.end())[1 if declared[2] else 0 :]
            # The forms with a letter have it after the name.
            default = given[2:3] if declared[3] else given[1:2]
            if given and default and re.fullmatch(r'"[\w.-]+"', given[0]):
                found.setdefault(given[0].strip('"'), _Flag(default[0], path))
    return found


def _arguments(text: str, at: int) -> list[str]:
    """The arguments of a call, from the place after its bracket on."""
    found, begin, closing, quote = [], at, [")"], ""
    while at < len(text) and closing:
        char = text[at]
        if quote:
            at += char == "\\" and quote == '"'
            quote = "" if char == quote else quote
        elif char in "\"`'":
            quote = char
        elif char in _CLOSING:
            closing.append(_CLOSING[char])
        elif char == closing[-1]:
            closing.pop()
        if not quote and ((char == "," and len(closing) == 1) or not closing):
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return [argument for argument in found if argument]


def _value(default: str, checkout: Checkout) -> str:
    """The value of a default: for a constant the value in its declaration, else the expression itself."""
    if default[:1] in '"`':
        return default.strip('"`')
    named = _NAME.fullmatch(default)
    if default in ("nil", "true", "false") or named is None or default.isdigit():
        return "" if default == "nil" else default
    declared = rf"^\s*(const |var )?{named[1]}( [a-z]+)? *= *\""
    for path in checkout.paths_with(declared.replace(r"\s", "[[:space:]]") if checkout.has_history else declared, ".go"):
        found = re.search(rf'{declared}([^"]*)"', checkout.text(path), re.MULTILINE)
        if found:
            return found[3]
    return default
