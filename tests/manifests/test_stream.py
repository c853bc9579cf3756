"""How a file's bytes are divided into documents."""

from __future__ import annotations

import pytest

from tests.manifests.reading import messages, read_all, read_one, value_of
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.manifests import ABSENT


def _values(text: str | bytes) -> list[JSONValue]:
    return [document.value for document in read_all(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n", [None]),
        ("---\n", [None]),
        ("# only a comment\n", [None]),
        ("a: 1", [{"a": 1}]),
        ("---\na: 1\n", [{"a": 1}]),
        ("a: 1\n---", [{"a": 1}]),
        ("a: 1\n---\n", [{"a": 1}]),
        ("# c\n---\na: 1\n", [None, {"a": 1}]),
        ("---\n---\na: 1\n---\n---\n", [None, {"a": 1}, None]),
        ("a: 1\n--- # comment\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\n---#x\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r\n---\r\nb: 2\r\n", [{"a": 1}, {"b": 2}]),
        ("- a\n- b\n", [["a", "b"]]),
        ("just text\n", ["just text"]),
    ],
)
def test_documents_are_divided_as_kubectl_divides_them(text: str, expected: list[JSONValue]) -> None:
    assert _values(text) == expected
    assert messages(text) == []


def test_documents_are_numbered_with_the_empty_ones() -> None:
    assert [document.index for document in read_all("# c\n---\na: 1\n---\nb: 1\n")] == [0, 1, 2]


@pytest.mark.parametrize(("line", "rest"), [("--- {b: 1}", "{b: 1}"), ("----", "-"), ("---x", "x")])
def test_content_on_a_separator_line_is_refused(line: str, rest: str) -> None:
    assert _values(f"a: 1\n{line}\nc: 1\n---\nd: 1\n") == [{"a": 1}, ABSENT, {"d": 1}]
    (issue,) = read_all(f"a: 1\n{line}\nc: 1\n")[1].issues
    assert (issue.line, issue.column, issue.kubectl) == (2, 1, f"invalid Yaml document separator: {rest}")


@pytest.mark.parametrize("text", ["--- {a: 1}\n", "a: 1\n--- {b: 1}"])
def test_refused_separator_counts_at_the_edges_of_the_file(text: str) -> None:
    assert read_all(text)[-1].value is ABSENT


def test_quoted_text_does_not_hide_a_separator() -> None:
    assert _values('a: "x\n---\nb: y\n') == [ABSENT, {"b": True}]


def test_places_count_from_the_start_of_the_file() -> None:
    assert (
        messages("a: 1\n---\n---\nb: [\n---\nc: @\n")[-1]
        == "error x.yaml:6:4: invalid YAML: found character that cannot start any token; put the value in quotes"
    )


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_byte_order_mark_is_no_content(mark: bytes) -> None:
    assert _values(mark + b'{"a": 1}') == _values(mark + b"a: 1\n") == [{"a": 1}]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_with_its_mark_is_read(encoding: str) -> None:
    assert value_of("\ufeffa: é\n".encode(encoding)) == {"a": "é"}


def test_invalid_utf8_is_an_error_with_its_place() -> None:
    document = read_one(b"a: 1\nb: \xc3\xa9\xff\n")
    assert [str(issue) for issue in document.issues] == ["x.yaml:2:5: invalid UTF-8; kubectl would put U+FFFD in its place"]
    assert document.value == {"a": 1, "b": "é\ufffd"}


def test_control_character_has_its_place() -> None:
    assert messages("a: é\nb: x\x01\n") == [
        "error x.yaml:2:5: invalid YAML: control characters are not allowed; take it out, or save the file as UTF-8"
    ]


@pytest.mark.parametrize("text", ["a:\n\tb: 1\n", "\ta: 1\n"])
def test_tab_as_indentation_is_refused(text: str) -> None:
    assert read_one(text).value is ABSENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}{"a": 2}\n{"a": 3}', [{"a": 1}, {"a": 2}, {"a": 3}]),
        ('{"a": 1}\n---\n{"a": 2.0}', [{"a": 1}, {"a": 2}]),
        ('{"a": 1}\nx: y\n', [{"a": 1}, {"x": True}]),
        ("{a: b}\n", [{"a": "b"}]),
        ('{"a": b}\n', [{"a": "b"}]),
        ('{ # c\n"a": 1,}\n', [{"a": 1}]),
        ('{"a": NaN}', [{"a": "NaN"}]),
        ("[1, 2]", [[1, 2]]),
    ],
)
def test_json_streams_may_go_over_to_yaml(text: str, expected: list[JSONValue]) -> None:
    assert _values(text) == expected
    assert messages(text) == []


def test_json_stream_of_two_values_stays_json() -> None:
    assert _values('{"a": 1}\n{"a": 2}\n---\n{"a": 3}') == [{"a": 1}, {"a": 2}, ABSENT]


def test_kubectl_needs_four_bytes_to_change_to_yaml() -> None:
    assert _values("{a}") == [ABSENT]
    assert _values("{a}\n") == [{"a": None}]


def test_broken_json_is_explained_as_json_and_broken_flow_yaml_as_yaml() -> None:
    assert messages('{"a": [}\n') == ["error x.yaml:1:8: invalid JSON: invalid character '}' looking for beginning of value"]
    assert messages("{a: [}\n") == ["error x.yaml:1:6: invalid YAML: did not find expected node content"]


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("a:\n\tb: 1\n", "indent with spaces, not with tabs"),
        ("a: é\nb: `x`\n", "put the value in quotes"),
        ("a:\n  b: 1\n c: 2\n", "indent the line as its neighbours"),
        ("a: b: c\n", "put a value that holds ': ' in quotes, or indent the line as its neighbours"),
        ("a: 'b\n", "close the quote that opens here"),
        ("a: 1\nb\n", "write ': ' behind the key, or indent the line as part of the value above"),
        ("a: {b: 1\n", "close the map, or put a comma between its fields"),
        ("a\0:\0", "take it out, or save the file as UTF-8"),
    ],
)
def test_what_would_do_stands_behind_the_parser_s_words(text: str, remedy: str) -> None:
    (message,) = messages(text)
    assert message.endswith(f"; {remedy}")
