"""The texts of the project that people read, and the words in them that `banned_words.yaml` bans.

These are the comments, docstrings and other strings of Python, the prose of Markdown, and the comments of YAML, shell and TOML. Code is
left out, since it quotes names, commands and their output. Generated files are left out too: their words are in the code.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path, PurePosixPath
from typing import Any, Final

from tests.conftest import ROOT
from tests.yaml_documents import read

FILE: Final = Path(__file__).with_name("banned_words.yaml")
_COMMENTED: Final = frozenset({".yaml", ".yml", ".sh", ".toml", ".tpl"})
_COMMENT: Final = re.compile(r"(?:^|\s)#(.*)|\{\{-?\s*/\*(.*)")
_FENCE: Final = re.compile(r"^\s*(```|~~~)")
_INDENTED: Final = re.compile(r"^( {4}|\t)")
_INLINE: Final = re.compile(r"`[^`]*`")


@dataclass(frozen=True, slots=True)
class Banned:
    """The content of `banned_words.yaml`: the words, each with what to write instead, and the places that are left out."""

    words: dict[str, str]
    generated: tuple[str, ...]
    quotations: tuple[tuple[str, str], ...]

    def pattern(self) -> re.Pattern[str]:
        """Any of the words as a whole word, in any case."""
        return re.compile(rf"\b(?:{'|'.join(self.words)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A banned word and where it is."""

    file: str
    line: int
    word: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word}: {self.text}"


def banned(file: Path = FILE) -> Banned:
    """The list as it is written."""
    document: dict[str, Any] = read(file.read_text(encoding="utf-8"))
    return Banned(
        words=document["words"],
        generated=tuple(document["generated"] or ()),
        quotations=tuple((entry["file"], entry["text"]) for entry in document["quotations"] or ()),
    )


def files(root: Path = ROOT) -> list[str]:
    """The files that git tracks or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=root, capture_output=True, check=True
    )
    return sorted(path for path in listed.stdout.decode().split("\0") if path and (root / path).is_file())


def is_below(path: str, rooms: Iterable[str]) -> bool:
    """Whether a file is one of these, or is in one of these folders; `*` matches any name."""
    return any(_room(room).match(path) for room in rooms)


@cache
def _room(room: str) -> re.Pattern[str]:
    return re.compile("[^/]*".join(map(re.escape, room.split("*"))) + r"(?:/|\Z)")


def places(path: str, text: str, list_: Banned) -> Iterator[Place]:
    """The banned words of a file, except in quotations."""
    pattern = list_.pattern()
    if not pattern.search(text):
        return
    quoted = [quotation for room, quotation in list_.quotations if is_below(path, [room])]
    for line, prose in sorted(set(prose_of(path, text))):
        own = reduce(lambda rest, quotation: rest.replace(quotation, ""), quoted, prose)
        yield from (Place(path, line, match[0], prose.strip()[:100]) for match in pattern.finditer(own))


def prose_of(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The lines of a file that people read, each with its number."""
    suffix = PurePosixPath(path).suffix
    if suffix == ".py":
        yield from _python(text)
    elif suffix == ".md":
        yield from _markdown(text)
    elif suffix in _COMMENTED or path == "Makefile":
        for number, line in enumerate(text.splitlines(), 1):
            yield from ((number, match[1] or match[2] or "") for match in _COMMENT.finditer(line))


def _python(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], _INLINE.sub("", token.string)
    for node in ast.walk(ast.parse(text)):
        # A string of one word is a name.
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield from ((number, _INLINE.sub("", line)) for number, line in enumerate(node.value.splitlines(), node.lineno))


def _markdown(text: str) -> Iterator[tuple[int, str]]:
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and not _INDENTED.match(line):
            yield number, _INLINE.sub("", line)
