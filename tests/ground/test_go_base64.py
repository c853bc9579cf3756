"""Where base64 text goes wrong, in the usual encoding and in the one for URLs; every row was printed by Go."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.go_base64 import URL_SAFE, base64_fault


@pytest.mark.parametrize(
    ("text", "usual", "for_urls"),
    [
        ("", None, None),
        ("A", 0, 0),
        ("AA", 0, 0),
        ("AAA", 0, 0),
        ("AAAA", None, None),
        ("AAAAA", 4, 4),
        ("AAAAAA", 4, 4),
        ("AAAAAAA", 4, 4),
        ("AA==", None, None),
        ("AAA=", None, None),
        ("AA=", 3, 3),
        ("AAA==", 4, 4),
        ("AA===", 4, 4),
        ("AAAA=", 4, 4),
        ("A=", 1, 1),
        ("A==", 1, 1),
        ("A===", 1, 1),
        ("=", 0, 0),
        ("==", 0, 0),
        ("====", 0, 0),
        ("AA==A", 4, 4),
        ("AAA=A", 4, 4),
        ("AA=A", 2, 2),
        ("AA=A=", 2, 2),
        ("AA= =", 2, 2),
        ("A A", 1, 1),
        ("AAA A", 3, 3),
        ("é", 0, 0),
        ("AAé", 2, 2),
        ("+/+/", None, 0),
        ("-_-_", 0, None),
        ("AA\n==", None, None),
        ("AA=\n=", None, None),
        ("AA==\n", None, None),
        ("AA==\r\n", None, None),
        ("AA=\r\n=\n", None, None),
        ("AA=\n", 4, 4),
        ("AA=\nA", 3, 3),
        ("AA=\nA=", 3, 3),
        ("AAA\n=", None, None),
        ("AAA=\n", None, None),
        ("AAA=\nA", 5, 5),
        ("A\nA", 1, 1),
        ("A\n", 1, 1),
        ("AAAA\n", None, None),
        ("\n", None, None),
        ("\r\nAA==", None, None),
        ("AAAAA\n", 5, 5),
        ("AAAA\nAA", 5, 5),
        ("AAAA\nA\nA\n", 7, 7),
        ("AA==\nA", 5, 5),
        ("AA==\n\nA", 6, 6),
        ("AA=\n=\nA", 6, 6),
        ("AA\n=\n=\n!", 7, 7),
        ("AAAA\n=", 5, 5),
        ("A\n=", 2, 2),
        ("\n=", 1, 1),
        ("AAAAAA==", None, None),
        ("AAAAAA=", 7, 7),
        ("AAAAA===", 5, 5),
        ("a0+/zZ9A", None, 2),
        ("a0-_zZ9A", 2, None),
        ("AAA\x00", 3, 3),
        ("AAA\x7f", 3, 3),
    ],
)
def test_the_first_byte_that_does_not_belong_is_told(text: str, usual: int | None, for_urls: int | None) -> None:
    assert (base64_fault(text), base64_fault(text, URL_SAFE)) == (usual, for_urls)


def test_a_lone_surrogate_is_a_fault_where_it_begins() -> None:
    assert base64_fault("AAAA\udc80") == 4
