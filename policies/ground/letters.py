"""The letters of words as sets of bits, by which the letters that two words share are counted at once."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.memory import once_a_text

#: Letters that differ in their numbers by a multiple of this have the same bits.
_SLOTS: Final = 128


@once_a_text(4096)
def letters_of(word: str) -> int:
    """The letters of a word as a set of bits, one for each occurrence: two words share as many letters as their sets share bits.

    A few rare letters have the same bits, so that words may seem to share more.
    """
    bits, times = 0, [0] * _SLOTS
    for letter in word:
        slot = ord(letter) % _SLOTS
        bits |= 1 << (slot + _SLOTS * times[slot])
        times[slot] += 1
    return bits
