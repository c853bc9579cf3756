"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re

import pytest

from weighbridge.policies.ground import expressions
from weighbridge.policies.ground.expressions import expression


def test_an_expression_is_compiled_once_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def counting(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return re.compile(text, flags)

    word = expression(r"(?P<first>\w)\w*", re.ASCII)
    monkeypatch.setattr(expressions, "_compilers", [counting])
    assert compiled == []
    assert word.fullmatch("word")
    assert not word.fullmatch("wörd")
    assert word.sub("-", "a b") == "- -"
    assert (word.pattern, word.flags & re.ASCII, word.groups) == (r"(?P<first>\w)\w*", re.ASCII, 1)
    assert compiled == [r"(?P<first>\w)\w*"]


def test_a_wrong_expression_is_refused_when_it_is_used() -> None:
    with pytest.raises(re.error):
        expression("(").match("")
