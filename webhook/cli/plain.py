"""Command lines that are read without click, whose import takes as long as half of a lint.

These are the usual ones of `lint` and `dry-run`: known options in their usual spelling, each once unless it may be repeated, with a value
that is allowed. click reads all other command lines: it finds what is wrong with them, and shows help.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from weighbridge.policies.ground.defects import before_the_first
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.cache.runs import COMPLETE

_LEVELS: Final = ("error", "placement", "warning", "note", "never", "capacity", "unknown", "unchecked")
_COLOURS: Final = ("auto", "always", "never")


@dataclass(frozen=True, slots=True)
class Plain:
    """How a command is called: the parameters of its function, with their defaults, and the options that set them.

    Those `values` with a tuple as default may be repeated. `choices` has the allowed values; `output` takes the names of a table in the
    module `formats`.
    """

    function: str
    defaults: Mapping[str, Any]
    flags: Mapping[str, str]
    values: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]]
    formats: str

    def allows(self, name: str, value: str) -> bool:
        """Whether a parameter may have a value."""
        if name == "output":
            return value in importlib.import_module(self.formats).FORMATS
        return value in self.choices.get(name, (value,))


_FLAGS: Final = {"-v": "verbose", "--verbose": "verbose", "--force-exclude": "is_forced", "--isolated": "isolated"}
#: Options of both commands: the parameter that each sets, and its default.
_OPTIONS: Final[Mapping[str, tuple[str, Any]]] = {
    "--exclude": ("exclude", ()),
    "--crds": ("crds", ()),
    "--cluster": ("cluster", ()),
    "--policies": ("policies", ()),
    "--config": ("config", None),
    "--settings": ("settings", None),
    "--fail-on": ("fail_on", None),
    "--color": ("colour", "auto"),
}


def _plain(function: str, formats: str, own: Mapping[str, tuple[str, Any]], choices: Mapping[str, tuple[str, ...]], **others: Any) -> Plain:
    """A command with its own options; `others` are the defaults of parameters whose options click reads."""
    options = {**_OPTIONS, **own}
    defaults = {**dict.fromkeys(_FLAGS.values(), False), **dict(options.values()), "release": (), "namespace": None, **others}
    values = {option: name for option, (name, _) in options.items()}
    return Plain(function, defaults, _FLAGS, values, {**choices, "fail_on": _LEVELS, "colour": _COLOURS}, formats)


PLAIN: Final = {
    "lint": _plain(
        "lint",
        "weighbridge.webhook.report",
        {
            "--context": ("context", ()),
            "--changed-since": ("changed_since", None),
            "--stdin-filename": ("stdin_filename", ""),
            "--select": ("select", ()),
            "--ignore": ("ignore", ()),
            "--baseline": ("baseline", None),
            **dict.fromkeys(("-o", "--output"), ("output", ("text",))),
        },
        {},
        kubernetes=(),
        write_baseline=None,
        jobs=None,
    ),
    "dry-run": _plain(
        "dry_run",
        "weighbridge.webhook.dry_run_report",
        {
            "--old": ("old_paths", ()),
            "--stage": ("stage", "whole"),
            **dict.fromkeys(("-o", "--output"), ("output", None)),
        },
        {"stage": ("whole", "apiserver")},
        kubernetes=None,
        reviews=None,
        operation=None,
        field_validation="Strict",
        is_short=False,
    ),
}


def plain_call(arguments: Sequence[str]) -> Callable[[], int] | None:
    """The call for a command line; `None` if click must read it."""
    plain = PLAIN.get(arguments[0]) if arguments and COMPLETE not in os.environ else None
    given = _given(plain, arguments[1:]) if plain is not None else None
    if plain is None or given is None:
        return None
    return partial(_called, plain.function, given)


def _called(function: str, given: Mapping[str, Any]) -> int:
    before_the_first(_hide_defects)
    code: int = getattr(importlib.import_module(f"weighbridge.webhook.cli.{function}"), function)(**given)
    return code


def _hide_defects() -> None:
    from weighbridge.webhook.cli.defects import log_defects

    log_defects(shown=False)


def _given(plain: Plain, arguments: Sequence[str]) -> dict[str, Any] | None:
    """The parameters of a command's function; `None` if click must read them."""
    paths: list[str] = []
    named: dict[str, Any] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument == "-" or not argument.startswith("-"):
            paths.append(argument)
        elif argument in plain.flags:
            named[plain.flags[argument]] = True
        else:
            name, value = plain.values.get(argument, ""), next(rest, "")
            if not name or not value or value.startswith("-") or not plain.allows(name, value):
                return None
            if isinstance(plain.defaults[name], tuple):
                named[name] = (*named.get(name, ()), value)
            elif name in named:
                return None
            else:
                named[name] = value
    return {**plain.defaults, **named, "paths": tuple(paths)} if (paths or plain.function == "lint") and "" not in paths else None
