"""The time that a call may take."""

from __future__ import annotations

import pytest

from weighbridge.webhook.server.deadline import allowance, duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("10s", 10.0),
        ("1.5s", 1.5),
        ("500ms", 0.5),
        ("1m30s", 90.0),
        (".5s", 0.5),
        ("2.s", 2.0),
        ("250us", 0.00025),
        ("1h", 3600.0),
        ("3µs", 3e-6),
    ],
)
def test_duration_is_read_as_go_prints_it(text: str, seconds: float) -> None:
    assert duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "0s", "10", "s", "-1s", "1s x", "1.2.3s", "ten seconds", "1S", "١s"])
def test_text_that_is_no_duration_above_zero_is_none(text: str) -> None:
    assert duration(text) is None


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        (b"timeout=3s", 2.8),
        (b"timeout=30s", 9.8),
        (b"", 9.8),
        (b"timeout=soon", 9.8),
        (b"timeout=0s", 9.8),
        (b"timeout=-5s", 9.8),
        (b"other=1&timeout=2s", 1.8),
        (b"timeout=1m", 9.8),
        (b"timeout=500ms", 0.3),
        (b"timeout=100ms", 0.05),
        (b"timeout=" + b"9" * 400 + b"s", 9.8),
        (b"&".join([b"a=1"] * 50), 9.8),
        (b"timeout=%ff%fe", 9.8),
        (b"\xff\xfe=1", 9.8),
    ],
)
def test_allowance_is_the_shorter_timeout_less_the_margin(query: bytes, seconds: float) -> None:
    assert allowance(query, 10.0, 0.2) == pytest.approx(seconds)
