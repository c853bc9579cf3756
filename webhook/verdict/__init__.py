"""The output formats of `weighbridge dry-run`: one format per file, found by its name in one table.

A format gets every verdict as it is reached, and the counts at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TextIO

from weighbridge.webhook.texts.style import Style
from weighbridge.webhook.verdict.verdicts import Outcome, Verdict, VerdictFormat

__all__ = ["FORMATS", "Outcome", "Verdict", "VerdictFormat"]

# A format is imported when it is chosen.


def _text(stream: TextIO, style: Style) -> VerdictFormat:
    from weighbridge.webhook.verdict.text import TextFormat

    return TextFormat(stream, style)


def _yaml(stream: TextIO, style: Style) -> VerdictFormat:
    from weighbridge.webhook.verdict.yaml import YamlFormat

    return YamlFormat(stream, style)


def _json(stream: TextIO, style: Style) -> VerdictFormat:
    from weighbridge.webhook.verdict.json import JsonFormat

    return JsonFormat(stream, style)


def _json_lines(stream: TextIO, style: Style) -> VerdictFormat:
    from weighbridge.webhook.verdict.jsonl import JsonLinesFormat

    return JsonLinesFormat(stream, style)


def _diff(stream: TextIO, style: Style) -> VerdictFormat:
    from weighbridge.webhook.verdict.diff import DiffFormat

    return DiffFormat(stream, style)


def _effective(stream: TextIO, style: Style) -> VerdictFormat:
    from weighbridge.webhook.verdict.effective import EffectiveFormat

    return EffectiveFormat(stream, style)


#: Every format by the name that `--output` takes.
FORMATS: Final[Mapping[str, Callable[[TextIO, Style], VerdictFormat]]] = MappingProxyType(
    {"text": _text, "yaml": _yaml, "json": _json, "jsonl": _json_lines, "diff": _diff, "effective": _effective}
)
