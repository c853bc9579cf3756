"""No text that people read has a word that `banned_words.yaml` bans, apart from quotations."""

from __future__ import annotations

from functools import cache

import pytest

from tests.architecture.plain_words import Banned, Place, banned, files, is_below, places, prose_of
from tests.conftest import ROOT

LIST = banned()


@cache
def found() -> tuple[Place, ...]:
    """All banned words that aren't quoted, of files that aren't generated."""
    texts = {path: (ROOT / path).read_bytes() for path in files() if not is_below(path, LIST.generated)}
    return tuple(place for path, text in texts.items() for place in places(path, text.decode("utf-8", "replace"), LIST))


def test_no_text_has_a_banned_word() -> None:
    left = list(map(str, found()))
    assert not left, "\n".join([*left, "write instead:", *(f"{word}: {instead}" for word, instead in LIST.words.items())])


def test_no_case_is_named_with_a_banned_word() -> None:
    names = {path.split("/")[3] for path in files() if path.startswith("tests/cases/")}
    assert [name for name in sorted(names) if list(places("name.md", name.replace("-", " "), LIST))] == []


def test_what_is_quoted_is_there() -> None:
    def is_there(room: str, text: str) -> bool:
        quoting = [path for path in files() if is_below(path, [room])]
        return any(text in prose for path in quoting for _, prose in prose_of(path, (ROOT / path).read_text(encoding="utf-8")))

    assert [quotation for quotation in LIST.quotations if not is_there(*quotation)] == []


WORDS = {"grue": "lamp", "twisty": "straight"}
PYTHON = '''\
"""A grue lives here.

And `grue` is twisty."""
name = f"{grue} Twisty passage"  # a grue
grue = other["grue"]
'''
MARKDOWN = "It is twisty.\n\n```\ngrue\n```\n\n    a grue\n\nA `grue` name.\nA Grue.\n"
YAML = "# Twisty\nkey: grue  # it is twisty\nother: '#grue'\n"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.py", PYTHON, ["1 grue", "3 twisty", "4 Twisty", "4 grue"]),
        ("a.md", MARKDOWN, ["1 twisty", "10 Grue"]),
        ("a.yaml", YAML, ["1 Twisty", "2 twisty"]),
        ("a.go", "// grue", []),
    ],
    ids=["python", "markdown", "yaml", "other"],
)
def test_words_are_found_where_people_read_them(path: str, text: str, lines: list[str]) -> None:
    assert [f"{place.line} {place.word}" for place in places(path, text, Banned(WORDS, (), ()))] == lines


def test_a_quotation_is_left_out_in_its_room() -> None:
    list_ = Banned(WORDS, (), (("docs/*/a.md", "a twisty maze"),))
    assert list(places("docs/x/a.md", "upstream: a twisty maze", list_)) == []
    (place,) = places("docs/a.md", "upstream: a twisty maze", list_)
    assert str(place) == "docs/a.md:1: twisty: upstream: a twisty maze"


def test_a_room_is_a_file_or_a_folder() -> None:
    assert is_below("policies/pods/a.py", ["policies/pods"])
    assert is_below("policies/families/aim/rules/a.py", ["policies/families/*/rules"])
    assert is_below("README.md", ["README.md"])
    assert not is_below("policies/pods.py", ["policies/pods"])
    assert not is_below("docs/policies/pods/a.md", ["policies/pods"])
