"""Answers as texts, and files with such texts, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue, pointer
from weighbridge.policies.ground.server_release import RELEASES

#: The release of the server whose answers the files hold.
RECORDED_BY: Final = next(release for release in RELEASES if release.name == "1.36")

_TITLE: Final = "## "


def answer_text(
    code: int, message: str, causes: Iterable[tuple[str, str, str]], warnings: Iterable[str], body: JSONValue, stored: JSONValue
) -> str:
    """An answer as lines: status and message, causes, warnings, and the differences of the stored object from the body."""
    lines = [f"{code} {_line(message)}".rstrip()]
    lines += (f"- {reason} {field}: {_line(text)}" for reason, field, text in causes)
    lines += (f"- warning: {_line(text)}" for text in warnings)
    if stored is not None:
        lines += _changes(body, stored, ())
    return "".join(f"{line}\n" for line in lines)


def _line(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _changes(before: JSONValue, after: JSONValue, path: tuple[str | int, ...]) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            where = (*path, key)
            if key not in after:
                yield f"- without {_place(where)}"
            elif key not in before:
                yield f"- with {_place(where)} {json_text(after[key])}"
            else:
                yield from _changes(before[key], after[key], where)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _changes(one, other, (*path, index))
    elif json_text(before) != json_text(after) or type(before) is not type(after):
        yield f"- with {_place(path)} {json_text(after)} for {json_text(before)}"


def _place(path: tuple[str | int, ...]) -> str:
    return _line(pointer(path))


def read_texts(file: Path) -> dict[str, str]:
    """The texts of a file by the names of their cases."""
    sections = file.read_text("utf-8").split(f"\n{_TITLE}")[1:]
    found = {title: text for title, _, text in (section.partition("\n") for section in sections)}
    return {title: text.removesuffix("\n") + "\n" for title, text in found.items()}


def write_texts(file: Path, command: str, texts: Mapping[str, str]) -> None:
    """Write the texts of cases; `command` is the command that writes them again."""
    sections = "".join(f"\n{_TITLE}{case}\n{text}" for case, text in texts.items())
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"# {file.stem}\n\nWritten by `{command}`. `test_agrees_with_server` asks a real server the same.\n{sections}", "utf-8")
