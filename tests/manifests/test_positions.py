"""Where the carets go."""

from __future__ import annotations

import pytest

from tests.manifests.reading import read_all, read_one
from weighbridge.policies.ground.objects import Path
from weighbridge.webhook.manifests import Document, Position

TEXT = """\
# a comment
apiVersion: v1
metadata:
  name: "a b"   # the name
  labels: {app: web, "x/y": z}
spec:
  empty:
  gpus: &gpus
    count: 12
  list:
  - first
  -  - nested
  - key: value
    日本: 値
  same: *gpus
  block: |
    text
  merged:
    <<: *gpus
    own: 1
"""


@pytest.fixture(scope="module")
def document() -> Document:
    """The text above."""
    return read_one(TEXT)


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("apiVersion",), "v1"),
        (("metadata", "name"), '"a b"'),
        (("metadata", "labels"), '{app: web, "x/y": z}'),
        (("metadata", "labels", "x/y"), "z"),
        (("spec", "list", 0), "first"),
        (("spec", "list", 1, 0), "nested"),
        (("spec", "list", 2, "key"), "value"),
        (("spec", "list", 2, "日本"), "値"),
        (("spec", "same"), "*gpus"),
        (("spec", "same", "count"), "12"),
        (("spec", "merged", "count"), "12"),
        (("spec", "merged", "own"), "1"),
    ],
)
def test_value_is_marked_where_it_is_written(document: Document, path: Path, written: str) -> None:
    assert _marked(document, path) == written


@pytest.mark.parametrize(
    ("path", "written"),
    [
        (("spec",), "spec"),
        (("spec", "empty"), "empty"),
        (("spec", "list"), "list"),
        (("spec", "missing"), "spec"),
        (("spec", "gpus", "missing", "deeper"), "gpus"),
        (("spec", "list", 7), "list"),
        (("metadata", "labels", "missing"), "labels"),
        (("metadata", "name", 0), "name"),
    ],
)
def test_key_is_marked_for_blocks_empty_values_and_missing_fields(document: Document, path: Path, written: str) -> None:
    assert _marked(document, path) == written


def test_block_scalar_is_marked_at_its_indicator(document: Document) -> None:
    assert document.position(("spec", "block")) == Position(16, 10)


def test_document_itself_begins_at_its_first_key(document: Document) -> None:
    assert document.position() == Position(2, 1)


def test_last_of_equal_keys_is_marked() -> None:
    assert read_one("a: 1\nb: 2\na: 3\n").position(("a",)) == Position(3, 4)


def test_key_that_is_no_string_is_found_by_its_json_form() -> None:
    assert read_one("x:\n  y: 1\n  1.0: 2\n").position(("x", "true")) == Position(2, 6)
    assert read_one("x:\n  y: 1\n  1.0: 2\n").position(("x", "1")) == Position(3, 8)


def test_places_of_later_documents_count_from_the_start_of_the_file() -> None:
    assert [found.position(("a",)) for found in read_all("---\na: 1\n--- # c\n\n\na: 2\n---\n---\na: 3")] == [
        Position(2, 4),
        Position(6, 4),
        Position(9, 4),
    ]


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\x85", "\u2028"])
def test_every_line_break_of_yaml_counts(newline: str) -> None:
    found = read_all(newline.join(["a: 1", "b: 2", "c: 3", ""]) + "\n---\nd: 4\n")
    assert found[0].position(("c",)) == Position(3, 4)
    last = found[-1].position(("d",))
    assert found[-1].text_lines[last.line - 1] == "d: 4"


def test_unreadable_document_has_the_place_of_its_error() -> None:
    assert read_one("a: 1\nb: @\n").position(("a",)) == Position(2, 4)


def _marked(document: Document, path: Path) -> str:
    span = document.span(path)
    assert span.start.line == span.end.line
    return document.text_lines[span.start.line - 1][span.start.column - 1 : span.end.column - 1]
