"""The formats of `weighbridge dry-run`: one file per format behind a small protocol.

A format gets every verdict as it is reached and is told when there are no more.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Final, Protocol, TextIO

from policies.findings import Decision
from policies.objects import JSONValue
from policies.request import Request
from webhook.verdict.record import VerdictRecord


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judged request; `given` is the object as its author wrote it, `place` where that stands (`file:line`), both empty if unread."""

    record: VerdictRecord
    request: Request | None = None
    decision: Decision | None = None
    given: JSONValue = None
    place: str = ""


class Format(Protocol):
    """What a format does."""

    def write(self, verdict: Verdict) -> None:
        """Show one verdict."""

    def finish(self) -> None:
        """Show what comes last."""


#: Format name to the class that writes it; its constructor takes the stream and whether to use colour.
FORMATS: Final = {
    "text": "webhook.verdict.text:TextFormat",
    "yaml": "webhook.verdict.yaml_stream:YamlFormat",
    "json": "webhook.verdict.json_list:JsonFormat",
    "jsonl": "webhook.verdict.json_lines:JsonLinesFormat",
    "diff": "webhook.verdict.diff:DiffFormat",
}


def make_format(name: str, stream: TextIO, *, colour: bool) -> Format:
    """The format called `name`, one of FORMATS."""
    module, _, class_name = FORMATS[name].partition(":")
    found: Format = getattr(importlib.import_module(module), class_name)(stream, colour=colour)
    return found
