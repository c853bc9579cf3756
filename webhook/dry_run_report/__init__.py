"""The output formats of `weighbridge dry-run`: one format per file, found by its name in one table.

A format gets each verdict at once, and the counts at the end.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, TextIO, cast

from weighbridge.webhook.dry_run_report.parts.verdicts import Outcome, Verdict, VerdictFormat
from weighbridge.webhook.texts.style import Style

__all__ = ["FORMATS", "Outcome", "Verdict", "VerdictFormat"]


def _opened(name: str, writer: str, stream: TextIO, style: Style) -> VerdictFormat:
    """A format by its module and class. The module is imported only when the format is chosen."""
    return cast("VerdictFormat", getattr(importlib.import_module(f"{__name__}.{name}"), writer)(stream, style))


#: Every format by its name for `--output`, which is its module's name, with its class. The first is the default.
FORMATS: Final[Mapping[str, Callable[[TextIO, Style], VerdictFormat]]] = MappingProxyType({
    name: partial(_opened, name, writer)
    for name, writer in (
        ("text", "TextFormat"),
        ("yaml", "YamlFormat"),
        ("json", "JsonFormat"),
        ("jsonl", "JsonLinesFormat"),
        ("diff", "DiffFormat"),
        ("effective", "EffectiveFormat"),
    )
})  # fmt: skip
