"""The settings of a run, each with its origin, as `weighbridge config show` lists them."""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.configuration.explained import Explained
from weighbridge.webhook.settings.keys import KEYS, OF_PATHS, OVERRIDES, PATHS, REASON
from weighbridge.webhook.settings.values import DEFAULT, Settings
from weighbridge.webhook.texts.streams import as_text


def options_of(run: Settings, *, effective: bool) -> Iterator[Explained]:
    """Each setting with its value and its origin; with `effective` also settings that have their default."""
    for name, key in KEYS.items():
        if name in run.named:
            values = [*map(as_text, run.texts(name))]
            value: JSONValue = values if key.shape.is_list else next(iter(values), None)
            yield Explained(name, value, run.origin(name))
        elif effective:
            yield Explained(name, key.default or ([] if key.shape.is_list else None), DEFAULT)
    for number, entry in enumerate(run.overrides):
        held: dict[str, JSONValue] = {PATHS: list(entry.paths)}
        held |= {name: list(entry.texts(name)) for name in OF_PATHS if name in entry.named}
        held |= {REASON: entry.reason} if entry.reason else {}
        yield Explained(f"{OVERRIDES}[{number}]", held, entry.origin)
