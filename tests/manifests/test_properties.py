"""Properties that hold for every text."""

from __future__ import annotations

import json

import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.manifests.reading import read_all, read_one
from weighbridge.policies.ground.objects import JSONValue, walk
from weighbridge.webhook.manifests import ABSENT, InputIssue, IssueKind, manifests, standing

_SCALARS = st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.text(max_size=12)
_KEYS = st.text(max_size=6)
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3), max_leaves=12)
_PIECES = st.sampled_from([*"ab[]{}|#!~1:\"'\n\t", ": ", "- ", ", ", "\n  ", "\n---\n", "...", "&x ", "*x", "<<: "])


@given(st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=60))
def test_no_text_is_too_much(text: str) -> None:
    for document in read_all(text.encode(errors="replace")):
        assert (document.value is ABSENT) == any(issue.kind is IssueKind.ERROR for issue in document.issues)
        assert standing(document)
        _every_place_exists(document.text_lines, [document.position(path).line for path, _ in _walked(document.value)])
        if document.value is not ABSENT:
            assert all(isinstance(found, InputIssue) or isinstance(found.value, dict) for found in manifests(document))


@given(st.binary(max_size=60))
def test_no_bytes_are_too_much(data: bytes) -> None:
    for document in read_all(data):
        assert document.value is not ABSENT or document.issues


@given(st.dictionaries(_KEYS, _VALUES, max_size=4))
def test_json_comes_back_as_it_was_with_a_place_for_everything(value: JSONValue) -> None:
    document = read_one(json.dumps(value, indent=1))
    assert document.value == value
    for path, _ in walk(value):
        assert 1 <= document.position(path).line <= len(document.text_lines)


@given(st.dictionaries(_KEYS, _VALUES, max_size=4))
def test_quoted_yaml_comes_back_as_it_was(value: JSONValue) -> None:
    assert read_one("---\n" + yaml.safe_dump(value, default_style='"', allow_unicode=False)).value == value


def _walked(value: JSONValue) -> list[tuple[tuple[str | int, ...], JSONValue]]:
    return list(walk(value)) if value is not ABSENT else [((), None)]


def _every_place_exists(lines: object, numbers: list[int]) -> None:
    assert isinstance(lines, list)
    assert all(1 <= number <= len(lines) for number in numbers)
