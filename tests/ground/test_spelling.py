"""The existing name that is most similar to a missing one."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.spelling import amount, closest, listed, similar


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


def test_a_number_stands_with_its_noun() -> None:
    told = [amount(0, "GPU"), amount(1, "GPU"), amount(2, "GPU"), amount(1, "entry", "entries"), amount(2, "entry", "entries")]
    assert told == ["0 GPUs", "1 GPU", "2 GPUs", "1 entry", "2 entries"]


@pytest.mark.parametrize(
    ("count", "text"), [(0, ""), (1, "a0"), (3, "a0, a1, a2"), (4, "a0, a1, a2 and 1 more"), (60, "a0, a1, a2 and 57 more")]
)
def test_three_names_are_told_and_the_others_counted(count: int, text: str) -> None:
    assert listed([f"a{number}" for number in range(count)]) == text
