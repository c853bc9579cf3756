"""A few lines of source text with carets under one part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.webhook.manifests import Span
from weighbridge.webhook.texts import cells
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.style import Role, Style

_CONTEXT: Final = 2
_WORD: Final = expression(r"[^\s:,\[\]{}]+")


def excerpt(lines: Sequence[str], span: Span, role: Role, style: Style) -> Iterator[str]:
    """The lines around a span, numbered, with carets under its first line; nothing if the span is outside of the text.

    Up to two lines are shown before and after; long lines are cut around the carets.
    """
    line = span.start.line
    if not 1 <= line <= len(lines):
        return
    last = len(lines) - (not lines[-1])
    numbers = range(max(1, line - _CONTEXT), max(line, min(last, line + _CONTEXT)) + 1)
    margin = len(str(numbers[-1]))
    room = max(style.width - margin - 3, 10)
    gutter = style.paint(Role.GUTTER, f"{'':{margin}} |")
    yield gutter
    for number in numbers:
        source = lines[number - 1]
        # Characters are escaped one by one, so the part before the span ends where the span begins.
        start, end = (len(shown(source[:at])) for at in _stretch(source, span)) if number == line else (0, 0)
        text, start, end = cells.crop(shown(source), start, end, room)
        numbered = style.paint(Role.GUTTER, f"{number:{margin}} |")
        yield f"{numbered} {text}".rstrip()
        if number == line:
            carets = "^" * max(cells.width(text[start:end]), 1)
            yield f"{gutter} {' ' * cells.width(text[:start])}{style.paint(role, carets)}"
    yield gutter


def _stretch(text: str, span: Span) -> tuple[int, int]:
    """The part of the span on its first line, in characters from 0; if the span is empty, the word that begins there."""
    start = min(span.start.column - 1, len(text))
    end = span.end.column - 1 if span.end.line == span.start.line else len(text.rstrip())
    if span.start == span.end:
        word = _WORD.match(text, start)
        end = word.end() if word else start
    return start, max(start, min(end, len(text)))
