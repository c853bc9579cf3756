"""The settings that get lost when one list of arguments replaces another: model, port, address, name and context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.serving_engines.containers import Started, started_in, words_of
from weighbridge.policies.families.serving_engines.ports import local_address, port_of
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.objects import JSONObject

_NEEDED: Final = ("model", "port", "host", "name", "context")
#: The settings that are compared for an unknown engine.
_FLAGS: Final = ("--model", "--model-path", "--port", "--host", "--served-model-name")
_MODEL_PATH: Final = expression(r"\$(?:\(MODEL_PATH\)|\{MODEL_PATH\}|MODEL_PATH\b)")


def lost(before: JSONObject, after: JSONObject) -> Iterator[tuple[str, str]]:
    """A setting that the command line of a container no longer has: its meaning, and how it was written."""
    was, now, written = started_in(before), started_in(after), started_in(_as_written(before))
    if was is None or now is None or written is None:
        yield from _lost_words(before, after)
    elif was.engine == now.engine and not now.is_open and not now.is_configured:
        for meaning in _NEEDED:
            words = _words(written, meaning)
            if words and not _words(now, meaning) and _is_missed(meaning, was, now):
                yield meaning, words


def _is_missed(meaning: str, was: Started, now: Started) -> bool:
    """Whether the engine behaves differently without a setting."""
    if meaning == "port":
        before, after = port_of(was), port_of(now)
        return before is None or after is None or before.number != after.number
    return meaning != "host" or bool(local_address(now)[0])


def _words(started: Started, meaning: str) -> str:
    """A setting as it is written; empty if it isn't set."""
    given = started.line.final(meaning)
    if given is not None:
        return " ".join((given.written, *given.values))
    return started.line.words[0][1] if meaning == started.table.first_word and started.line.words else ""


def _lost_words(before: JSONObject, after: JSONObject) -> Iterator[tuple[str, str]]:
    was, now = words_of(_as_written(before)), words_of(_as_written(after))
    if any(map(_MODEL_PATH.search, was)) and not any(map(_MODEL_PATH.search, now)):
        yield "model", "$(MODEL_PATH)"
    for flag in _FLAGS:
        if flag in _flags(was) and flag not in _flags(now):
            yield flag.removeprefix("--"), flag


def _as_written(container: JSONObject) -> JSONObject:
    """The container with its variables left as they are written."""
    return {name: value for name, value in container.items() if name != "env"}


def _flags(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words}
