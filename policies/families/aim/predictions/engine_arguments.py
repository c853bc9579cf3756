"""`AIM_ENGINE_ARGS` as the command line that the container starts its engine with: each key is a flag, and wins over the profile's.

Source: aim-engine v0.2.1, internal/utils/utils.go; vLLM 0.25.1, whose flags have the same names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.aim.predictions.environment import ENGINE_ARGUMENTS
from weighbridge.policies.families.aim.predictions.workload import Work, environment
from weighbridge.policies.families.serving_engines.command_line import read
from weighbridge.policies.families.serving_engines.containers import Started
from weighbridge.policies.families.serving_engines.engines import TABLES
from weighbridge.policies.families.serving_engines.flags import FlagTable
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONValue, Path
from weighbridge.policies.ground.records import dataclass

#: The engines of profiles.
_ENGINES: Final = {"vllm": "vLLM", "sglang": "SGLang"}


@dataclass(frozen=True, slots=True)
class EngineArguments:
    """The arguments as the engine reads them; `path` is the field in which the service has its own arguments, or its model if it has none.

    `unknown` are the flags that the engine doesn't have. They have no values, since it isn't known how AIM writes values of unusual types.
    """

    started: Started
    unknown: Started
    path: Path


def engine_arguments(work: Work) -> EngineArguments | None:
    """The arguments; `None` if there are none, they are no JSON object, or the profile doesn't say which engine it starts."""
    engine = _ENGINES.get(text(part(work.profile, "metadata"), "engine").lower(), "")
    entry = next((one for one in environment(work) if text(one, "name") == ENGINE_ARGUMENTS), None)
    try:
        found = json.loads(text(entry, "value")) if entry is not None else None
    except (ValueError, RecursionError):
        return None
    if not engine or not isinstance(found, dict):
        return None
    table = TABLES[engine]
    words = [word for key, value in found.items() for word in _words(str(key), value)]
    unknown = [flag for flag in map(_flag, found) if table.find(flag) is None]
    own = next((at for at, one in enumerate(items(work.spec, "env")) if text(one, "name") == ENGINE_ARGUMENTS), -1)
    path: Path = ("spec", "env", own, "value") if own >= 0 else ("spec", "model")
    return EngineArguments(_started(table, words), _started(table, unknown), path)


def _started(table: FlagTable, words: list[str]) -> Started:
    return Started(read(table, words), tuple(words), tuple(() for _ in words), {}, "", is_open=False)


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def _words(key: str, value: JSONValue) -> Iterator[str]:
    if value is False or value is None:
        return
    yield _flag(key)
    if isinstance(value, dict | list):
        yield json.dumps(value)
    elif value is not True:
        yield str(int(value) if isinstance(value, float) and value.is_integer() else value)
