"""The engine that a container starts, and the command line that it reads, through a shell too.

`$(NAME)` is expanded as Kubernetes does it, as far as the container gives the variable's value. Source: Kubernetes v1.36,
third_party/forked/golang/expansion; the images' own entry points as their projects publish them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.families.serving_engines.command_line import CommandLine, read
from weighbridge.policies.families.serving_engines.engines import TABLES, is_foreign, published_engine, started_by
from weighbridge.policies.families.serving_engines.flags import FlagTable
from weighbridge.policies.families.serving_engines.shell import commands, is_open, script_of
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import items, text, texts
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass

_REFERENCE: Final = expression(r"\$(?:\$|\(([^()]*)\))")
#: Engines whose published image starts them with the arguments alone.
_OWN_START: Final = ("vLLM", "llama.cpp", "TGI")


@dataclass(frozen=True, slots=True)
class Started:
    """An engine with its command line.

    `places` are the fields of the container that the words come from, `variables` are the container's variables. With `is_open`, a word has
    an unknown part, which may expand to any words.
    """

    line: CommandLine
    words: tuple[str, ...]
    places: tuple[Path, ...]
    variables: Mapping[str, str]
    image: str
    is_open: bool

    @property
    def table(self) -> FlagTable:
        """The engine's flags."""
        return self.line.table

    @property
    def engine(self) -> str:
        """The engine's name."""
        return self.line.table.engine

    @property
    def is_configured(self) -> bool:
        """Whether the engine may also read settings from a file."""
        return bool(self.line.all_of(self.table.find("--config")))

    @property
    def is_published(self) -> bool:
        """Whether the image is one that the engine's project publishes."""
        return published_engine(self.image) == self.engine

    def place(self, at: int) -> Path:
        """The field of the container that a word is from."""
        return self.places[at]


def started_in(container: JSONObject) -> Started | None:
    """The engine of a container; `None` if it isn't known."""
    variables, image = variables_of(container), text(container, "image")
    words = [(("command", index), word) for index, word in enumerate(texts(container, "command"))]
    has_command = bool(words)
    words += [(("args", index), word) for index, word in enumerate(texts(container, "args"))]
    expanded = [(place, _expanded(word, variables)) for place, word in words]
    script = script_of([word for _, word in expanded])
    if script >= 0:
        return _in_script(expanded[script], variables, image)
    engine, taken = started_by([word for _, word in expanded])
    if not engine and not has_command and (published := published_engine(image)) in _OWN_START:
        engine, taken = published, 0
    if not engine:
        return None
    places: list[Path] = [place for place, _ in expanded[taken:]]
    given = [word for _, word in expanded[taken:]]
    return None if is_foreign(engine, given, image) else _started(engine, given, places, variables, image)


def words_of(container: JSONObject) -> list[str]:
    """The words of a container's command line, whatever its program is; for a shell's script, the words of all its commands."""
    variables = variables_of(container)
    words = [_expanded(word, variables) for word in (*texts(container, "command"), *texts(container, "args"))]
    script = script_of(words)
    return words if script < 0 else [word for command in commands(words[script], variables) for word in command]


def variables_of(container: JSONObject) -> dict[str, str]:
    """The variables of a container whose values it gives, with earlier ones expanded."""
    found: dict[str, str] = {}
    for entry in items(container, "env"):
        if isinstance(entry.get("value"), str):
            found[text(entry, "name")] = _expanded(text(entry, "value"), found)
        else:
            found.pop(text(entry, "name"), None)
    return found


def _in_script(script: tuple[Path, str], variables: Mapping[str, str], image: str) -> Started | None:
    place, lines = script
    found = [(words, *started_by(words)) for words in commands(lines, variables)]
    engines = [(engine, words[taken:]) for words, engine, taken in found if engine]
    if len(engines) != 1:
        # If the script starts several engines, it isn't known which one serves.
        return None
    engine, rest = engines[0]
    return None if is_foreign(engine, rest, image) else _started(engine, rest, [place] * len(rest), variables, image, is_shell=True)


def _started(
    engine: str, words: list[str], places: list[Path], variables: Mapping[str, str], image: str, *, is_shell: bool = False
) -> Started:
    hides = any(map(is_open, words)) if is_shell else False
    return Started(read(TABLES[engine], words), tuple(words), tuple(places), variables, image, hides)


def _expanded(word: str, variables: Mapping[str, str]) -> str:
    return _REFERENCE.sub(lambda found: "$" if found[0] == "$$" else variables.get(found[1], found[0]), word)
