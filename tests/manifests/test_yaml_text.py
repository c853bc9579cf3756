"""kubectl reads the YAML that we write as the value it was written from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.manifests import documents
from weighbridge.webhook.texts.yaml_text import yaml_text

_SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(codec="utf-8", exclude_characters="\x00"))
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcxyz/.-019 ", max_size=6), inner, max_size=4)
)


def read(text: str) -> JSONValue:
    (document,) = documents("text", text.encode())
    assert not document.issues, document.issues
    return document.value


@pytest.mark.parametrize(
    "text", ["y", "N", "1e3", "-.5", "0o17", "08", "=", "12:30:45", "2026-01-01", "~", "", "null", "+1", ".inf", "0b1", "<<", "1_000"]
)
def test_a_text_that_looks_like_something_else_stays_a_text(text: str) -> None:
    assert read(yaml_text({"key": text, text: "value"})) == {"key": text, text: "value"}


@given(st.dictionaries(st.text("abcxyz/.-019", max_size=6), _VALUES, min_size=1, max_size=4))
def test_what_is_written_is_read_back(value: JSONValue) -> None:
    assert read(yaml_text(value)) == value


def test_what_stands_twice_is_written_twice() -> None:
    shared = {"a": [1]}
    assert "&" not in yaml_text({"x": shared, "y": shared})
