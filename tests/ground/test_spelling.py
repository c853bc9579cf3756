"""The existing name that is most similar to a missing one."""

from __future__ import annotations

import random
from difflib import get_close_matches

import pytest

from tests.counted_calls import calls_of
from weighbridge.policies.ground.spelling import amount, close_matches, closest, listed, similar


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


def _names(count: int) -> list[str]:
    """Names that are alike, with and without letters that are rare; some are empty, long or there twice."""
    beginnings = ("model-", "llama-3-8b-", "m", "", "\u00e1a", "\u65e5\u672c", "a" * 250)
    return [random.choice(beginnings) + "".join(random.choices("ab01-", k=random.randint(0, 4))) for _ in range(count)]


def test_similar_words_are_those_of_difflib() -> None:
    for _ in range(200):
        (word,), words, most, cutoff = _names(1), _names(30), random.randint(1, 3), random.choice([0.0, 0.6, 0.75, 1.0])
        assert close_matches(word, words, n=most, cutoff=cutoff) == get_close_matches(word, words, n=most, cutoff=cutoff)


@pytest.mark.parametrize("word", ["llama-3-8b-instrukt-17", "qwen-2-5-coder-32b"])
def test_the_letters_of_a_word_are_hardly_compared_with_each_of_many(word: str) -> None:
    names = [f"llama-3-8b-instruct-{number}" for number in range(400)]
    close_matches(word, names, n=1)
    assert calls_of(lambda: close_matches(word, names, n=1)) < 6 * len(names)
    assert calls_of(lambda: get_close_matches(word, names, n=1)) > 12 * len(names)
