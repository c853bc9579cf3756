"""The style of a report on its stream: full or concise, its width and its colours.

Formats choose a role (`error`, `gutter`), and don't ask whether there is a terminal. Colour follows the convention of https://no-color.org.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TextIO

from weighbridge.policies.ground.records import dataclass

DEFAULT_WIDTH: Final = 80
#: Wider than any line: files and pipes are searched and copied, so their lines aren't broken.
UNBROKEN: Final = 1 << 30
_NARROWEST: Final = 30


class ColorChoice(StrEnum):
    """The values of `--color`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Role(StrEnum):
    """The role of a piece of text. Those of severities have the severities' names."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    HEADLINE = "headline"
    GUTTER = "gutter"
    LABEL = "label"


_CODES: Final[Mapping[Role, str]] = MappingProxyType(
    {
        Role.ERROR: "1;31",
        Role.WARNING: "1;33",
        Role.NOTE: "1;36",
        Role.HEADLINE: "1",
        Role.GUTTER: "34",
        Role.LABEL: "1",
    },
)


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a report. With `full`, findings are shown with their source, else on one line each. `width` is in terminal cells.

    With `verbose`, notes and excepted findings are shown, too, instead of being only counted, and so is every detail of a prediction.
    """

    full: bool = False
    color: bool = False
    width: int = DEFAULT_WIDTH
    verbose: bool = False

    def paint(self, role: Role, text: str) -> str:
        """The text in the role's colour; unchanged if the style has no colours."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.color and text else text

    @classmethod
    def of(
        cls,
        stream: TextIO,
        *,
        environ: Mapping[str, str],
        color: ColorChoice = ColorChoice.AUTO,
        full: bool | None = None,
        verbose: bool = False,
    ) -> Style:
        """The style for a stream: on a terminal full, coloured and as wide as the window; else concise, plain and unbroken.

        `color` and `full`, if given, override this; NO_COLOR and a dumb terminal only change the default.
        """
        terminal = stream.isatty()
        wanted = terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        return cls(
            full=terminal if full is None else full,
            color=wanted if color is ColorChoice.AUTO else color is ColorChoice.ALWAYS,
            width=max(_NARROWEST, _columns(stream, environ) if terminal else UNBROKEN),
            verbose=verbose,
        )


def _columns(stream: TextIO, environ: Mapping[str, str]) -> int:
    set_width = environ.get("COLUMNS", "")
    if set_width.isdecimal() and int(set_width):
        return int(set_width)
    try:
        return os.get_terminal_size(stream.fileno()).columns or DEFAULT_WIDTH
    except (OSError, ValueError):
        return DEFAULT_WIDTH
