"""What a list of arguments lacks that takes the place of another: the model, the port, the address, the name and the context."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.families.serving_engines.containers import Started, started_in, words_of
from policies.families.serving_engines.listening import local_address, port_of
from policies.fields import texts
from policies.objects import JSONObject

_NEEDED: Final = ("model", "port", "host", "name", "context")
#: What is looked for where it isn't known which engine is started.
_FLAGS: Final = ("--model", "--model-path", "--port", "--host", "--served-model-name")
_MODEL_PATH: Final = re.compile(r"\$(?:\(MODEL_PATH\)|\{MODEL_PATH\}|MODEL_PATH\b)")


def lost(before: JSONObject, after: JSONObject) -> Iterator[tuple[str, str]]:
    """What the command line of a container no longer has: what it means, and how it was written."""
    was, now = started_in(before), started_in(after)
    if was is None or now is None:
        yield from _lost_words(before, after)
    elif was.engine == now.engine and not now.is_open and not now.is_configured:
        for meaning in _NEEDED:
            written = _written(was, before, meaning)
            if written and not _written(now, after, meaning) and _is_missed(meaning, was, now):
                yield meaning, written


def _is_missed(meaning: str, was: Started, now: Started) -> bool:
    """Whether the engine does otherwise without it."""
    if meaning == "port":
        before, after = port_of(was), port_of(now)
        return before is None or after is None or before.number != after.number
    return meaning != "host" or bool(local_address(now)[0])


def _written(started: Started, container: JSONObject, meaning: str) -> str:
    """How a setting is written in the container; empty where it isn't."""
    given = started.line.final(meaning)
    if given is not None:
        values = [_raw(started, container, given.at + step + 1) for step in range(len(given.values))]
        return f"{given.written} {' '.join(values)}".strip() if given.at + len(given.values) < len(started.words) else given.written
    if meaning == started.table.first_word and started.line.words:
        return _raw(started, container, started.line.words[0][0])
    return ""


def _raw(started: Started, container: JSONObject, at: int) -> str:
    """A word as it is written, before variables are put in."""
    field, index = started.place(at)
    words = texts(container, str(field))
    is_whole = isinstance(index, int) and index < len(words) and words[index] != "" and " " not in words[index]
    return words[index] if is_whole and isinstance(index, int) else started.words[at]


def _lost_words(before: JSONObject, after: JSONObject) -> Iterator[tuple[str, str]]:
    was, now = _plain(before), _plain(after)
    if any(map(_MODEL_PATH.search, was)) and not any(map(_MODEL_PATH.search, now)):
        yield "model", "$(MODEL_PATH)"
    for flag in _FLAGS:
        if flag in _flags(was) and flag not in _flags(now):
            yield flag.removeprefix("--"), flag


def _plain(container: JSONObject) -> list[str]:
    """The words without anything put in."""
    return words_of({"command": container.get("command"), "args": container.get("args")})


def _flags(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words}
