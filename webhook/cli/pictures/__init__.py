"""The picture of `weighbridge fit` in the forms that people and tools read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TextIO

from weighbridge.policies.placement.packing.picture import Picture
from weighbridge.webhook.texts.style import Style


def _text(picture: Picture, stream: TextIO, style: Style) -> None:
    from weighbridge.webhook.cli.pictures.text import write

    write(picture, stream, style)


def _json(picture: Picture, stream: TextIO, _: Style) -> None:
    from weighbridge.webhook.cli.pictures.json import write

    write(picture, stream)


def _html(picture: Picture, stream: TextIO, _: Style) -> None:
    from weighbridge.webhook.cli.pictures.html import write

    write(picture, stream)


#: The forms by name. Each is imported when it is chosen.
FORMATS: Final[Mapping[str, Callable[[Picture, TextIO, Style], None]]] = {"text": _text, "json": _json, "html": _html}
