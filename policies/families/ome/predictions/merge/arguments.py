"""The settings of a runtime's format for an accelerator class: arguments and variables over the container's own, and its parallelism.

Arguments are a list of words, or one text of lines that backslashes continue; the form stays. As soon as any argument is set, all of them
are grouped by their flags: if a flag comes twice, its last value takes the place of the first. Sources: OME v0.1.5,
pkg/controller/v1beta1/inferenceservice/components/base.go and utils/merging.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.families.ome.subject.parallelism import PIPELINE, TENSOR
from weighbridge.policies.ground.fields import items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject

_SIZES: Final = ((TENSOR, "tensorParallelSize"), (PIPELINE, "pipelineParallelSize"))
_CONTINUED: Final = " \\\n"
#: The characters that Go's Fields and regular expressions count as white space in a command line.
_NUMBER_OF: Final = r"(?:=|[\t\n\f\r ]+)[0-9]+"


def overridden(container: JSONObject, override: JSONObject) -> JSONObject:
    """A container with the settings of its class."""
    out = dict(container)
    for name, value in sorted(text_map(override, "environmentOverride").items()):
        out["env"] = with_variable(items(out, "env"), name, value)
    args = list(texts(container, "args"))
    if given := texts(override, "runtimeArgsOverride"):
        args = _merged(args, given)
    command = list(texts(container, "command"))
    sizes = part(override, "tensorParallelismOverride")
    for flags, field in _SIZES:
        if whole(sizes, field) > 0:
            _resize(args, command, flags, str(whole(sizes, field)))
    return out | ({"args": args} if args else {}) | ({"command": command} if command else {})


def with_variable(env: Sequence[JSONObject], name: str, value: str) -> list[JSONObject]:
    """The variables with a new value for one of them: in its place, next to an existing `valueFrom`, or at the end."""
    out = list(env)
    for index, entry in enumerate(out):
        if text(entry, "name") == name:
            out[index] = {**entry, "value": value}
            return out
    return [*out, {"name": name, "value": value}]


def _is_continued(words: Sequence[str]) -> bool:
    """Whether the words are one text of lines, which the first word shows."""
    return bool(words) and ("\n" in words[0] or "\\" in words[0])


def _merged(base: Sequence[str], over: Sequence[str]) -> list[str]:
    """Flags of `over` take the place of the same flags of `base`; the others follow."""
    if not base:
        return list(over)
    by_flag: dict[str, list[str]] = {}
    for words in (base, over):
        by_flag.update(_flags(list(_single(words))))
    out = [word for words in by_flag.values() for word in words]
    return [_CONTINUED.join(out)] if _is_continued(base) else out


def _single(words: Sequence[str]) -> Iterator[str]:
    """The words, with a text of continued lines split into its lines, without empty ones."""
    for word in words:
        for line in word.split("\n") if _is_continued((word,)) else (word,):
            found = line.strip().rstrip("\\").strip() if _is_continued((word,)) else line.strip()
            if found:
                yield found


def _flags(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each flag with its words; a word that is no flag is its own key, and takes the next word as its value in the same way."""
    index = 0
    while index < len(words):
        word = words[index]
        takes_next = "=" not in word and index + 1 < len(words) and not words[index + 1].startswith("-")
        yield _key(word), list(words[index : index + 1 + takes_next])
        index += 1 + takes_next


def _key(word: str) -> str:
    """The key of a word: the name of a flag, or else the whole word."""
    if not word.startswith("-"):
        return word
    return word.partition("=")[0] if "=" in word else word.split(None, 1)[0]


def _resize(args: list[str], command: list[str], flags: Sequence[str], size: str) -> None:
    """Rewrite the first of these flags in the arguments, or else in the command."""
    for words in (args, command):
        for flag in flags:
            if _resize_lines(words, flag, size) if words is args and _is_continued(words) else _resize_word(words, flag, size):
                return


def _resize_lines(words: list[str], flag: str, size: str) -> bool:
    """Rewrite a flag everywhere in one text of lines."""
    rewritten, count = re.subn(re.escape(flag) + _NUMBER_OF, f"{flag}={size}", words[0])
    words[0] = rewritten
    return count > 0


def _resize_word(words: list[str], flag: str, size: str) -> bool:
    """Rewrite a flag that is a separate word, or has its value after an equals sign."""
    for index, word in enumerate(words):
        if word == flag and index + 1 < len(words):
            words[index + 1] = size
            return True
        if word.startswith(f"{flag}="):
            words[index] = f"{flag}={size}"
            return True
    return False
