"""The output formats of `weighbridge dry-run`: one format per file, found by its name in one table.

A format gets every verdict as it is reached, and the counts at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TextIO

from weighbridge.webhook.texts.style import Style
from weighbridge.webhook.verdict.diff import DiffFormat
from weighbridge.webhook.verdict.effective import EffectiveFormat
from weighbridge.webhook.verdict.json import JsonFormat
from weighbridge.webhook.verdict.jsonl import JsonLinesFormat
from weighbridge.webhook.verdict.text import TextFormat
from weighbridge.webhook.verdict.verdicts import Format, Outcome, Verdict
from weighbridge.webhook.verdict.yaml import YamlFormat

__all__ = ["FORMATS", "Format", "Outcome", "Verdict"]

#: Every format by the name that `--output` takes.
FORMATS: Final[Mapping[str, Callable[[TextIO, Style], Format]]] = MappingProxyType(
    {
        "text": TextFormat,
        "yaml": YamlFormat,
        "json": JsonFormat,
        "jsonl": JsonLinesFormat,
        "diff": DiffFormat,
        "effective": EffectiveFormat,
    }
)
