"""Which of the names that are there comes nearest to one that isn't."""

from __future__ import annotations

import pytest

from policies.spelling import closest, similar


@pytest.mark.parametrize(
    ("word", "words", "found"),
    [
        ("Llama", ["lama", "llama", "LLAMA"], "LLAMA"),
        ("org/Llama", ["meta/llama", "org/lama"], "meta/llama"),
        ("llama", ["meta/Llama", "llamb"], "meta/Llama"),
        ("llamb", ["llama", "mistral"], "llama"),
        ("abcd", ["abcx"], "abcx"),
        ("abcd", ["abxx"], ""),
        ("abcd", [], ""),
    ],
)
def test_the_word_that_differs_least(word: str, words: list[str], found: str) -> None:
    assert closest(word, words) == found


def test_the_word_with_most_letters_in_common_or_else_the_first_few() -> None:
    assert similar("llamb", ["mistral", "llama"]) == "llama"
    assert similar("xyz", ["mistral", "llama", "qwen"]) == ""
    assert similar("xyz", ["mistral", "llama", "qwen"], otherwise=2) == "llama, mistral"
