"""Durations with more digits after the point than a number can have; every row was printed by Go."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.durations import HOUR, SECOND, nanoseconds, parse_problem


@pytest.mark.parametrize(
    ("text", "length"),
    [
        (f"0.{'9' * 400}s", SECOND),
        (f"0.{'1' * 400}ms", 111_111),
        (f"1.{'5' * 400}h", 5_600_000_000_000),
        (f".{'0' * 400}1h", 0),
        (f"0.{'0' * 29}1h", 0),
        (f"1.{'0' * 400}h", HOUR),
    ],
)
def test_digits_beyond_what_is_held_are_dropped(text: str, length: int) -> None:
    assert nanoseconds(text) == length
    assert parse_problem(text) == ""
