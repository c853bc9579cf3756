"""Generated source: the values in it, the names that it can reach, and its tracebacks."""

from __future__ import annotations

import linecache
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.codegen import SourceWriter, load

CODE_SHAPED = ["'", '"""', "\n    raise SystemExit", "__import__('os')", "\\", "#\r\nx = 1", "k1", "{0}", "%s", "\u2028x", "\x0c1/0"]


def _returning(value: object, comment: str = "") -> object:
    writer = SourceWriter()
    with writer.block("def answer():", comment):
        writer.line(f"return {writer.literal(value)}", comment)
    return load(writer.unit("test"), {}).function("answer")()


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(), st.lists))
def test_any_value_comes_out_as_it_went_in(value: object) -> None:
    result = _returning(value)
    assert result is value or repr(result) == repr(value)


@pytest.mark.parametrize("text", CODE_SHAPED, ids=range(len(CODE_SHAPED)))
def test_code_shaped_text_stays_text_in_values_and_comments(text: str) -> None:
    assert _returning(text, comment=text) == text
    assert _returning({text: [text]}, comment=text) == {text: [text]}


def test_generated_code_reaches_no_builtin_that_emitters_dont_use() -> None:
    writer = SourceWriter()
    with writer.block("def answer():"):
        writer.line("return open('/etc/hostname')")
    with pytest.raises(NameError):
        load(writer.unit("test"), {}).function("answer")()


def test_a_traceback_shows_the_generated_line() -> None:
    writer = SourceWriter()
    with writer.block("def answer():"):
        writer.line("return 1 / 0", "spec.count")
    unit = load(writer.unit("division"), {})
    with pytest.raises(ZeroDivisionError) as caught:
        unit.function("answer")()
    assert "return 1 / 0  # spec.count" in "".join(traceback.format_exception(caught.value))


def test_a_unit_leaves_nothing_in_the_line_cache() -> None:
    writer = SourceWriter()
    with writer.block("def answer():"):
        writer.line("return 1")
    load(writer.unit("short-lived"), {}).function("answer")()
    assert not any("short-lived" in name for name in linecache.cache)


def test_an_empty_block_is_still_code_and_names_are_never_repeated() -> None:
    writer = SourceWriter()
    with writer.block("def answer():"):
        pass
    assert load(writer.unit("empty"), {}).function("answer")() is None
    assert [writer.fresh("v"), writer.fresh("v"), writer.fresh("k")] == ["v1", "v2", "k1"]


@pytest.mark.parametrize("name", ["a\x00b", "two\nlines", "\ud800", ""])
def test_a_unit_may_have_any_name(name: str) -> None:
    writer = SourceWriter()
    with writer.block("def answer():"):
        writer.line("return 1")
    assert load(writer.unit(name), {}).function("answer")() == 1
