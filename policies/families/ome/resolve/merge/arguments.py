"""What a format of a runtime says of an accelerator class: arguments and variables over the container's own, and its parallelism.

Arguments are a list of words, or one word with a flag on each line, the lines continued by backslashes. Source: OME v0.1.5,
pkg/controller/v1beta1/inferenceservice/utils/accelerator_override.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from policies.fields import items, part, text, text_map, texts, whole
from policies.objects import JSONObject

_TENSOR: Final = ("--tp-size", "--tp", "--tensor-parallel-size")
_PIPELINE: Final = ("--pp-size", "--pp", "--pipeline-parallel-size")
_SIZES: Final = ((_TENSOR, "tensorParallelSize"), (_PIPELINE, "pipelineParallelSize"))
_CONTINUED: Final = "\\\n"
_JOINT: Final = f" {_CONTINUED}"


def overridden(container: JSONObject, override: JSONObject) -> JSONObject:
    """A container with what its class sets."""
    out = dict(container)
    if env := text_map(override, "environmentOverride"):
        by_name = {text(entry, "name"): entry for entry in items(container, "env")}
        out["env"] = list((by_name | {name: {"name": name, "value": value} for name, value in env.items()}).values())
    if given := texts(override, "runtimeArgsOverride"):
        out["args"] = _joined(container, _merged(_words(container, "args"), given))
    sizes = part(override, "tensorParallelismOverride")
    for flags, name in _SIZES:
        if whole(sizes, name) > 0:
            _resize(out, flags, str(whole(sizes, name)))
    return out


def parallelism(container: JSONObject) -> int:
    """Over how many GPUs the arguments spread the model: tensor times pipeline parallelism; 1 where they don't say."""
    product = 1
    for flags, _ in _SIZES:
        words = [*_words(container, "args"), *_words(container, "command")]
        found = next((value for flag, value in _values(words) if flag in flags and value.isdecimal()), "1")
        product *= int(found)
    return product


def _values(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for index, word in enumerate(words):
        yield _key(word), word[len(_key(word)) + 1 :] if _has_value(word) else words[index + 1] if index + 1 < len(words) else ""


def _is_continued(container: JSONObject, field: str) -> bool:
    words = texts(container, field)
    return len(words) == 1 and _CONTINUED in words[0]


def _words(container: JSONObject, field: str) -> list[str]:
    """The words, or where they are continued lines, the lines."""
    words = texts(container, field)
    return [line.strip() for line in words[0].split(_CONTINUED)] if _is_continued(container, field) else list(words)


def _joined(container: JSONObject, words: list[str], field: str = "args") -> list[str]:
    return [_JOINT.join(words)] if _is_continued(container, field) else words


def _merged(base: list[str], over: Sequence[str]) -> list[str]:
    """Flags of `over` take the place of the same flags of `base`; the others follow."""
    out = list(base)
    for flag, words in _flags(over):
        at = [index for index, word in enumerate(out) if flag and _key(word) == flag]
        if not at:
            out += words
            continue
        for index in reversed(at):
            has_own = not _has_value(out[index]) and index + 1 < len(out) and not out[index + 1].startswith("-")
            del out[index : index + 1 + has_own]
        out[at[0] : at[0]] = words
    return out


def _flags(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each flag with its words; a word that is none has no flag."""
    index = 0
    while index < len(words):
        word = words[index]
        is_open = bool(_key(word)) and not _has_value(word) and index + 1 < len(words) and not words[index + 1].startswith("-")
        yield _key(word), list(words[index : index + 1 + is_open])
        index += 1 + is_open


def _key(word: str) -> str:
    """The flag of a word; empty where it is none."""
    return word.split("=", 1)[0].split(None, 1)[0] if word.startswith("-") else ""


def _has_value(word: str) -> bool:
    return len(_key(word)) < len(word)


def _resize(container: JSONObject, flags: Sequence[str], size: str) -> None:
    """Rewrite the first of these flags, in the arguments or else in the command."""
    for field in ("args", "command"):
        words = _words(container, field)
        for index, word in enumerate(words):
            if _key(word) not in flags:
                continue
            if _has_value(word):
                words[index] = f"{_key(word)}{word[len(_key(word))]}{size}"
            elif index + 1 < len(words):
                words[index + 1] = size
            container[field] = _joined(container, words, field)
            return
