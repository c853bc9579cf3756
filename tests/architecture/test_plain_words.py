"""No text that people read has a word that `banned_words.yaml` bans, apart from the rooms that aren't done yet and from quotations."""

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
    left = [str(place) for place in found() if not is_below(place.file, LIST.not_done)]
    assert left == [], f"write instead: {LIST.words}"


def test_a_room_that_is_done_leaves_the_list() -> None:
    done = [room for room in LIST.not_done if not any(is_below(place.file, [room]) for place in found())]
    assert done == [], "remove these from `not done`"


def test_what_is_quoted_is_there() -> None:
    def is_there(room: str, text: str) -> bool:
        quoting = [path for path in files() if is_below(path, [room])]
        return any(text in prose for path in quoting for _, prose in prose_of(path, (ROOT / path).read_text(encoding="utf-8")))

    assert [quotation for quotation in LIST.quotations if not is_there(*quotation)] == []


PYTHON = '''\
"""What stands here.

And is told."""
name = f"{told} nobody"  # whoever reads it
stands = other["kept"]
'''
MARKDOWN = "It is told.\n\n```\nIt stands.\n```\n\n    it stands\n\nA `told` name.\nIt Stands there.\n"
YAML = "# Nobody\nkey: told  # it stands\nother: '#told'\n"


@pytest.mark.parametrize(
    ("path", "text", "lines"),
    [
        ("a.py", PYTHON, ["1 stands", "3 told", "4 nobody", "4 whoever"]),
        ("a.md", MARKDOWN, ["1 told", "10 Stands"]),
        ("a.yaml", YAML, ["1 Nobody", "2 stands"]),
        ("a.go", "// told", []),
    ],
    ids=["python", "markdown", "yaml", "other"],
)
def test_words_are_found_where_people_read_them(path: str, text: str, lines: list[str]) -> None:
    assert [f"{place.line} {place.word}" for place in places(path, text, Banned(LIST.words, (), (), ()))] == lines


def test_a_quotation_is_left_out_in_its_room() -> None:
    list_ = Banned(LIST.words, (), (), (("docs/*/a.md", "it was told"),))
    assert list(places("docs/x/a.md", "upstream: it was told", list_)) == []
    (place,) = places("docs/a.md", "upstream: it was told", list_)
    assert str(place) == "docs/a.md:1: told: upstream: it was told"


def test_a_room_is_a_file_or_a_folder() -> None:
    assert is_below("policies/pods/a.py", ["policies/pods"])
    assert is_below("policies/families/aim/rules/a.py", ["policies/families/*/rules"])
    assert is_below("README.md", ["README.md"])
    assert not is_below("policies/pods.py", ["policies/pods"])
    assert not is_below("docs/policies/pods/a.md", ["policies/pods"])
