"""The exact text of generated source, and its lines in a traceback."""

from __future__ import annotations

import math
import traceback
import zlib
from collections.abc import Callable
from types import CodeType
from typing import Any

import pytest

from weighbridge.policies.codegen import GeneratedUnit, SourceWriter, load
from weighbridge.policies.codegen.frozen import FrozenUnit, freeze, thaw
from weighbridge.policies.codegen.unit import compile_unit
from weighbridge.policies.codegen.writer import Origin, comment_text


def test_blocks_are_indented_comments_follow_and_an_empty_line_has_no_indent() -> None:
    writer = SourceWriter()
    with writer.block("def one():", "what it is"):
        with writer.block("if a:"):
            writer.line("b()", "why\nso")
            writer.line("")
            with writer.block("while c:"):
                pass
        writer.line("return 1")
    writer.line("d = 2")
    assert writer.unit("u").source == (
        "def one():  # what it is\n    if a:\n        b()  # why so\n\n        while c:\n            pass\n    return 1\nd = 2\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("x" * 100, "x" * 100),
        ("x" * 101, "x" * 99 + "…"),
        ("x" * 99 + "\n\t", "x" * 99 + "…"),
        ("a\nb\x00c\u2028d", "a b c d"),
    ],
)
def test_a_comment_is_one_line_of_at_most_100_characters(text: str, shown: str) -> None:
    assert comment_text(text) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "None"), (True, "True"), (-1, "-1"), (1.5, "1.5"), (-0.0, "-0.0"), ("a'\n", '"a\'\\n"'), (b"\x00", "b'\\x00'")],
)
def test_what_python_writes_as_a_literal_is_one(value: Any, text: str) -> None:
    writer = SourceWriter()
    assert writer.literal(value) == text
    assert writer.unit("u").constants == {}


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, [1], {"a": 1}])
def test_what_is_no_literal_is_a_constant_with_one_name(value: Any) -> None:
    writer = SourceWriter()
    assert [writer.literal(value), writer.literal(value), writer.constant([]), writer.fresh("k")] == ["k1", "k1", "k2", "k3"]
    assert writer.unit("u").constants["k1"] is value


def test_an_origin_is_kept_for_the_constant_that_has_one() -> None:
    writer = SourceWriter()
    names = [writer.constant([1], ("word", 1)), writer.constant([2])]
    unit = writer.unit("shown")
    assert (unit.name, unit.origins, names) == ("shown", {"k1": ("word", 1)}, ["k1", "k2"])


def _loaded(name: str, value: object = 1) -> Any:
    writer = SourceWriter()
    with writer.block("def answer():"):
        writer.line(f"return {value}")
    return load(writer.unit(name), {})


def test_each_unit_of_one_name_shows_its_own_lines() -> None:
    failing = [_loaded("twice", f"{value} / 0") for value in (1, 2)]
    for value, unit in zip((1, 2), failing, strict=True):
        with pytest.raises(ZeroDivisionError) as failed:
            unit.function("answer")()
        assert f"return {value} / 0" in "".join(traceback.format_exception(failed.value))


def test_a_units_file_is_named_after_it_and_its_source() -> None:
    code = compile_unit(GeneratedUnit("a\nb\x00", "x = 1\n", {}))
    assert code.co_filename == f"weighbridge a b  #{zlib.crc32(b'x = 1' + bytes([10])):08x}"
    other = compile_unit(GeneratedUnit("a\nb\x00", "x = 2\n", {}))
    assert other.co_filename != code.co_filename
    assert compile_unit(GeneratedUnit("a\nb\x00", "x = 1\n", {})).co_filename == code.co_filename


def test_a_function_that_the_source_does_not_define_is_a_key_error() -> None:
    unit = _loaded("defined")
    assert unit.function("answer")() == 1
    with pytest.raises(KeyError):
        unit.function("question")


class _Words:
    """Knows one object by the word ``known``."""

    def __init__(self, known: object) -> None:
        self.known = known

    def origin_of(self, value: object) -> Origin | None:
        return ("known", 7) if value is self.known else None

    def restore(self, origin: Origin) -> object:
        if origin != ("known", 7):
            raise KeyError(origin)
        return self.known


def _frozen(value: object, origins: dict[str, Origin] | None = None) -> FrozenUnit:
    unit = GeneratedUnit("kept", "def answer():\n    return k1\n", {"k1": value}, origins or {})
    return FrozenUnit(unit, compile_unit(unit), "answer")


@pytest.mark.parametrize("value", [None, 1, "a", [1, {"b": None}], frozenset({"a"}), len, math.hypot, SourceWriter, comment_text])
def test_a_kept_unit_comes_back_with_its_constants(value: object) -> None:
    data = freeze(_frozen(value), _Words(object()))
    assert data is not None
    found = thaw(data, _Words(object()))
    assert found is not None
    assert (found.unit.name, found.unit.source, found.facts) == ("kept", "def answer():\n    return k1\n", "answer")
    assert isinstance(found.code, CodeType)
    assert load(found.unit, {}, found.code).function("answer")() == value


def test_a_constant_of_a_known_word_is_found_again() -> None:
    known = object()
    data = freeze(_frozen(known), _Words(known))
    assert data is not None
    found = thaw(data, _Words(known))
    assert found is not None
    assert found.unit.constants["k1"] is known


def test_the_origin_that_a_unit_names_counts_first() -> None:
    known = object()
    data = freeze(_frozen(len, {"k1": ("known", 7)}), _Words(known))
    assert data is not None
    found = thaw(data, _Words(known))
    assert found is not None
    assert found.unit.constants["k1"] is known


def _closure() -> Callable[[], None]:
    def inner() -> None: ...

    return inner


@pytest.mark.parametrize("value", [object(), _closure(), [object()]])
def test_a_unit_with_a_constant_of_no_origin_is_not_kept(value: object) -> None:
    assert freeze(_frozen(value), _Words(None)) is None


@pytest.mark.parametrize("cut", [0, 1, 10, -1])
def test_bytes_that_are_no_unit_are_none(cut: int) -> None:
    data = freeze(_frozen(1), _Words(None))
    assert data is not None
    assert thaw(data[:cut], _Words(None)) is None


def test_a_unit_whose_origin_is_unknown_or_gone_is_none() -> None:
    known = object()
    for origin in (("unknown", 1), ("named", "no.such.module", "x"), ("named", "math", "no_such_name")):
        data = freeze(_frozen(1, {"k1": origin}), _Words(known))
        assert data is not None
        assert thaw(data, _Words(known)) is None
