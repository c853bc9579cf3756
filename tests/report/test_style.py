"""Which style is used for which stream."""

from __future__ import annotations

import io

import pytest

from weighbridge.webhook.report import ColorChoice, Style
from weighbridge.webhook.texts.style import UNBROKEN, Role


class Terminal(io.StringIO):
    """A stream that says it is a terminal and can't tell its size."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "choice", "color"),
    [
        ({}, ColorChoice.AUTO, True),
        ({"NO_COLOR": "1"}, ColorChoice.AUTO, False),
        ({"NO_COLOR": ""}, ColorChoice.AUTO, True),
        ({"TERM": "dumb"}, ColorChoice.AUTO, False),
        ({"NO_COLOR": "1"}, ColorChoice.ALWAYS, True),
        ({}, ColorChoice.NEVER, False),
    ],
)
def test_terminal_is_coloured_unless_told_otherwise(environ: dict[str, str], choice: ColorChoice, color: bool) -> None:
    assert Style.of(Terminal(), environ=environ, color=choice) == Style(full=True, color=color, width=80)


def test_other_streams_are_concise_plain_and_unbroken() -> None:
    assert Style.of(io.StringIO(), environ={"COLUMNS": "200"}) == Style(full=False, color=False, width=UNBROKEN)
    assert Style.of(io.StringIO(), environ={}, color=ColorChoice.ALWAYS, full=True) == Style(full=True, color=True, width=UNBROKEN)


@pytest.mark.parametrize(("columns", "width"), [("120", 120), ("5", 30), ("0", 80), ("many", 80), ("", 80)])
def test_width_is_the_windows_within_reason(columns: str, width: int) -> None:
    assert Style.of(Terminal(), environ={"COLUMNS": columns}).width == width


def test_nothing_is_painted_without_colour() -> None:
    assert Style().paint(Role.ERROR, "x") == "x"
    assert Style(color=True).paint(Role.ERROR, "") == ""
    assert Style(color=True).paint(Role.ERROR, "x") == "\x1b[1;31mx\x1b[0m"
