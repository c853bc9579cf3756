"""Places in files of several documents count the characters and lines of the documents before."""

from __future__ import annotations

import pytest

from tests.manifests.reading import messages, read_all, read_one
from weighbridge.webhook.manifests import ABSENT, Position, Standing, standing
from weighbridge.webhook.manifests.lines import LineStarts, SourceText, place_in

UNTEXT = "invalid UTF-8; kubectl would put U+FFFD in its place"


@pytest.mark.parametrize(
    ("data", "places"),
    [
        (b"a: \xff\n", ["1:4"]),
        (b"\xffa: 1\n", ["1:1"]),
        (b"a: \xc3\xa9\xff\n", ["1:5"]),
        (b"a: \xff\xfe\xc3\xa9\xff\n", ["1:4"]),
        (b"a: 1\n---\nb: \xc3\xa9\xc3\xa9\xff\n---\nc: 1\n---\nd: \xe2\x82\n", ["3:6", "7:4"]),
        (b"a: \xff\xfd\n---\nb: x\xff\n---\nc: xy\xff\n", ["1:4", "3:5", "5:6"]),
        (b"a: \xf0\x9f\x98\x80\xff\n# \xff\n---\nb: \xf0\x9f\x98\x80\xff\xff\n---\nc: \xc3\xa9\xff\n", ["1:5", "4:5", "6:5"]),
        (b'{"a": "\xff"}\n{"b": 1}\n{"c": "\xc3\xa9\xff\xff"}\n {"d": "\xff"}', ["1:8", "3:9", "4:9"]),
    ],
)
def test_each_document_tells_of_its_first_bytes_that_are_no_text(data: bytes, places: list[str]) -> None:
    assert messages(data) == [f"error x.yaml:{place}: {UNTEXT}" for place in places]


def test_a_byte_that_is_no_text_is_told_of_in_its_own_document() -> None:
    long = "é" * 40
    first, second, third = read_all(f"a: {long}\n---\nb: {long}".encode() + b"\xff\n---\n" + f"c: {long}".encode() + b"\xff\xff\n")
    assert [len(document.issues) for document in (first, second, third)] == [0, 1, 1]
    assert [document.issues[0].column for document in (second, third)] == [44, 44]


def test_documents_are_numbered_whatever_is_wrong_with_them() -> None:
    assert [document.index for document in read_all("a: [\n---\n--- x\nb: 1\n---\nc: 1\n")] == [0, 1, 2]
    assert [document.index for document in read_all('{"a": 1}\n{"b": 1e400}\n{"c": 1}')] == [0, 1, 2]
    assert [document.index for document in read_all('{"a": 1}\n{"b" 1}\n---\nc: 1\n')] == [0, 1, 2]


def test_findings_of_later_documents_count_from_the_start_of_the_file() -> None:
    text = "x: 1\n---\n# c\na: 1\na: 2\n---\nb:\n- c: 1\n- - d: 1\n  - d: 1\n    d: 2\n    <<: {d: 3}\n---\ne: 1\n...\nf: 1\n"
    assert messages(text) == [
        'finding x.yaml:5:1: duplicate field "a": the last one wins and kubectl doesn\'t say so',
        'finding x.yaml:11:5: duplicate field "b[1][1].d": the last one wins and kubectl doesn\'t say so',
        'finding x.yaml:12:5: the merge key "<<" replaces the value of "b[1][1].d" above it: kubectl lets the later one win',
        "finding x.yaml:16:1: kubectl ignores everything between the end of the document here and the next '---' line",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [("--- x\na: 1\n", 1), ("a: 1\n--- x\nb: 1\n", 2), ("a: 1\n\n# c\n---\n--- x\nb: 1\n", 5), ("a: 1\n---\nb: 1\n--- x", 4)],
)
def test_a_refused_separator_has_its_own_line(text: str, line: int) -> None:
    (refused,) = (document for document in read_all(text) if document.value is ABSENT)
    assert [(issue.line, issue.column) for issue in refused.issues] == [(line, 1)]


@pytest.mark.parametrize(
    ("rest", "is_yaml"),
    [
        ("\nab\n", True),
        ("\na\n", False),
        ("\nabc", True),
        ("\nab", False),
        ("abcd", True),
        ("abc", False),
        ("  abcd", True),
        ("  abc", False),
    ],
)
def test_yaml_behind_json_takes_some_bytes(rest: str, is_yaml: bool) -> None:
    first, second = read_all('{"a": 1}' + rest)
    assert first.value == {"a": 1}
    assert second.value == (rest.strip() if is_yaml else ABSENT)
    if not is_yaml:
        assert second.issues[0].message == "invalid JSON: invalid character 'a' looking for beginning of value"


def test_yaml_behind_json_begins_on_its_own_line() -> None:
    _, second = read_all('{"é": 1}\n\n  b: 1\n  c: [x, 2]\n')
    assert second.value == {"b": 1, "c": ["x", 2]}
    assert second.position(("c", 1)) == Position(4, 10)


@pytest.mark.parametrize(("spaces", "value"), [(4095, {"a": 1}), (4096, {"a": 1})])
def test_a_brace_is_looked_for_in_the_first_four_kilobytes(spaces: int, value: object) -> None:
    found = read_one(" " * spaces + '{"a": 1.0}')
    assert found.value == value
    assert found.stretch == (0, spaces + 10)


def test_lines_and_columns_count_from_one() -> None:
    starts = LineStarts("ab\nc\r\n\nd")
    assert [starts.place(offset) for offset in range(9)] == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1), (4, 2)]


def test_a_place_in_bytes_is_counted_in_characters() -> None:
    data = "aé\n\u2028日b".encode()
    assert [place_in(data, offset) for offset in (0, 1, 3, 4, 7, 10, 11)] == [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3)]
    assert place_in(data, 2) == (1, 3)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"])
def test_breaks_are_counted_between_two_offsets(newline: str) -> None:
    source = SourceText("x", newline.join("abcd").encode())
    size = len(newline.encode())
    assert [source.breaks(0, end * (1 + size)) for end in range(4)] == [0, 1, 2, 3]
    assert source.breaks(1 + size, 2 * (1 + size)) == 1
    assert source.lines == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "value", ['{"a": 1}', '{"é": "\\ud800"}', '{"a": 1, "a": 2}', '{"a": 1e999}'], ids=["plain", "escape", "twice", "overflow"]
)
def test_each_value_of_a_json_stream_has_a_stretch_of_its_own(value: str) -> None:
    """A search in a document searches only that document's text, so the time for a file grows with its length, not with the square."""
    line = f"{value}\n"
    found = read_all(line * 50)
    size = len(line.encode())
    assert [document.stretch for document in found] == [(max(0, number * size - 1), (number + 1) * size - 1) for number in range(50)]
    assert all(document.position(("a",)).line == number + 1 for number, document in enumerate(found))


def test_what_is_no_json_any_more_has_the_rest_of_the_stream() -> None:
    *_, last = read_all('{"a": 1}\n{"a": 2}\n{"a": {{ b }}}\n')
    assert (last.value, last.stretch, standing(last)) == (ABSENT, (17, 33), Standing.TEMPLATE)
    first, second = read_all('{"a": "x"}\n{"a": "{{ .Values.b }}"}\n')
    assert (standing(first), standing(second)) == (Standing.OTHER, Standing.TEMPLATE)


@pytest.mark.parametrize("line", ["--- x\n", "a: [\n---\n", "a: 1\r\n---\n", "a: {{ b }}\n---\n"])
def test_lines_are_counted_once_for_a_file_of_many_documents(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    counted = 0
    breaks = SourceText.breaks

    def counting(source: SourceText, start: int, end: int) -> int:
        nonlocal counted
        counted += end - start
        return breaks(source, start, end)

    monkeypatch.setattr(SourceText, "breaks", counting)
    found = read_all(line * 200)
    assert len(found) > 100
    assert counted <= 3 * len(line) * 200
    assert [document.issues[0].line for document in found if document.issues][:3] in ([], [1, 2, 4], [2, 4, 6], [1, 3, 5])


@pytest.mark.parametrize("feed", ["\n", "\r\n", "\u2028"])
def test_the_lines_before_an_offset_are_those_that_end_there(feed: str) -> None:
    source = SourceText("a", f"b{feed}".encode() * 3)
    size = 1 + len(feed.encode())
    assert [source.lines_before(offset) for offset in (0, 1, size, size + 1, 3 * size)] == [0, 0, 1, 1, 3]
