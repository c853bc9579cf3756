"""The commands of a shell's script, word by word, with the variables of the container expanded.

Only the part of the language that people start servers with is read: words in quotes, continued lines, variables with and without a
default, assignments before a command and by `export`. Command substitutions and unknown variables stay in the word as they are written.
Source: POSIX.1-2024, Shell Command Language.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Final

from weighbridge.policies.ground.expressions import expression

_SHELLS: Final = frozenset({"sh", "bash", "dash", "ash"})
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_VARIABLE: Final = expression(rf"\$(?:({_NAME})|\{{({_NAME})(?::?-([^}}]*))?\}})")
_ASSIGNMENT: Final = expression(rf"({_NAME})=(.*)", re.DOTALL)
_ENDS: Final = frozenset({";", "&", "&&", "|", "||", "\n", ";;"})
#: Words before a command that don't change what it starts.
_BEFORE: Final = frozenset({"exec", "env", "nohup", "command", "then", "do", "else", "{", "("})


def script_of(words: list[str]) -> int:
    """The index of the script among the words of a shell's command line; -1 if it is no shell, or if the shell reads a file."""
    if not words or words[0].rpartition("/")[2] not in _SHELLS:
        return -1
    for place, word in enumerate(words[1:-1], 1):
        if not word.startswith("-"):
            break
        if not word.startswith("--") and "c" in word:
            return place + 1
    return -1


def commands(script: str, variables: Mapping[str, str]) -> Iterator[list[str]]:
    """Each simple command of a script as its words; none of a script that can't be read."""
    known, words = dict(variables), list[str]()
    for word in [*_split(script), ";"]:
        if word not in _ENDS:
            words.append(_VARIABLE.sub(lambda found: _value(found, known), word))
            continue
        words = _assigned(words, known)
        if words:
            yield words
        words = []


def is_open(word: str) -> bool:
    """Whether a word has a part that is known only in the container: a variable without a value, or a command's output."""
    return "$" in word or "`" in word


def _split(script: str) -> list[str]:
    lexer = shlex.shlex(script.replace("\\\n", " "), posix=True, punctuation_chars=";&|\n")
    lexer.whitespace, lexer.whitespace_split = " \t\r", True
    try:
        found = list(lexer)
    except ValueError:
        return []
    # A run of signs is one word.
    return [";" if word and set(word) <= set(";&|\n") else word for word in found]


def _value(found: re.Match[str], known: Mapping[str, str]) -> str:
    name, default = found[1] or found[2], found[3]
    return known.get(name, found[0] if default is None else default)


def _assigned(words: list[str], known: dict[str, str]) -> list[str]:
    """The words of a command from its program on; the assignments before it go into `known`."""
    at = 0
    while at < len(words):
        given = _ASSIGNMENT.fullmatch(words[at])
        if given is not None:
            known[given[1]] = given[2]
        elif words[at] != "export" and words[at] not in _BEFORE:
            break
        at += 1
    return words[at:]
