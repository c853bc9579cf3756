"""The form of a file apart from its text: its encoding and its line ends. Texts are changed in a plain form, and written in their own."""

from __future__ import annotations

import codecs

from weighbridge.policies.ground.records import dataclass

_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Form:
    """What precedes the text, and its line ends; `obstacle` says why a text of another form can't be changed, else it is empty."""

    mark: str = ""
    feed: str = "\n"
    obstacle: str = ""

    def written(self, text: str) -> str:
        """The text in this form."""
        return self.mark + (text if self.feed == "\n" else text.replace("\n", self.feed))


def plain(data: bytes) -> tuple[bytes, Form]:
    """The text of a file as UTF-8 with line feeds, and its form; unchanged if the form has an obstacle."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data, Form(obstacle="the file isn't UTF-8; save it as UTF-8, then migrate")
    mark = _MARK if data.startswith(codecs.BOM_UTF8) else ""
    if "\r" not in text:
        return data.removeprefix(codecs.BOM_UTF8), Form(mark)
    if text.count("\r\n") != text.count("\r") or text.count("\r\n") != text.count("\n"):
        return data, Form(obstacle="the lines of the file end in more than one way; let all end alike, then migrate")
    return text.removeprefix(mark).replace("\r\n", "\n").encode(), Form(mark, "\r\n")
