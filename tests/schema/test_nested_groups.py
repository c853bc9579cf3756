"""How deep the groups of a pattern may nest to be plain, and what is read of a pattern where one ends."""

from __future__ import annotations

import pytest

from weighbridge.policies.schema.regex.syntax import translate


@pytest.mark.parametrize("opening", ["(", "(?:"])
def test_twenty_groups_in_each_other_are_plain(opening: str) -> None:
    deepest = translate(opening * 20 + "a" + ")" * 20)
    assert deepest is not None
    assert deepest.text == r"\x61"
    assert translate(opening * 21 + "a" + ")" * 21) is None
    assert translate("b" + opening * 20 + "a" + ")" * 20 + "c") is not None


def test_groups_beside_each_other_do_not_nest() -> None:
    assert translate("(a)" * 30) is not None
    assert translate("(" * 19 + "(a)(b)" + ")" * 19) is not None
    assert translate("(" * 19 + "(a)((b))" + ")" * 19) is None


@pytest.mark.parametrize("pattern", ["(a", "(a|", "a)", "(a))", "((a)", "(?a)", "(?i:a)", "(", ")", "(?:"])
def test_a_group_that_does_not_end_is_not_plain(pattern: str) -> None:
    assert translate(pattern) is None
