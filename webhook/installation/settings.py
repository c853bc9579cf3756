"""The settings of an installation: the values of the chart. `settings.yaml` has their defaults, schema and meaning."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from weighbridge import __version__
from weighbridge.policies.families.configuration import json_schema
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

#: Keys of the Configuration that the chart itself writes.
_CHARTS_OWN: Final = frozenset({"apiVersion", "kind", "mode"})


@dataclass(frozen=True, slots=True)
class ChartSetting:
    """One value: its path, its default, a line about its meaning, and what is allowed."""

    path: str
    meaning: str
    schema: Mapping[str, Any]
    default: JSONValue = __version__


SETTINGS: Final = tuple(
    ChartSetting(path, **entry)
    for path, entry in yaml.safe_load(Path(__file__).with_name("settings.yaml").read_text(encoding="utf-8")).items()
)


def default_values() -> dict[str, Any]:
    """The default values."""
    values: dict[str, Any] = {}
    for entry in SETTINGS:
        *sections, name = entry.path.split(".")
        holder = values
        for section in sections:
            holder = holder.setdefault(section, {})
        holder[name] = entry.default
    return values


def values_text() -> str:
    """values.yaml: each value with its meaning before it."""
    lines = ["# The values of the chart with their defaults. Generated; values.schema.json says what each may be."]
    section = ""
    for entry in SETTINGS:
        *sections, name = entry.path.split(".")
        indent = "  " * len(sections)
        if sections and sections[0] != section:
            lines.append(f"{sections[0]}:")
        section = sections[0] if sections else ""
        lines += [f"{indent}# {entry.meaning}", f"{indent}{name}: {json.dumps(entry.default)}"]
    return "\n".join(lines) + "\n"


def values_schema() -> JSONObject:
    """values.schema.json, by which Helm checks what a user gives; an unknown name is a mistake."""
    properties: dict[str, Any] = {}
    for entry in SETTINGS:
        *sections, name = entry.path.split(".")
        holder = properties
        for section in sections:
            inner = holder.setdefault(section, {"type": "object", "additionalProperties": False, "properties": {}})
            holder = inner["properties"]
        holder[name] = {"description": entry.meaning, **entry.schema}
    definitions = _configure(properties["configuration"])
    # Helm adds `global` to the values of every chart.
    properties["global"] = {"type": "object"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Values of Weighbridge's chart",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "$defs": definitions,
    }


def _configure(section: dict[str, Any]) -> JSONValue:
    """Check the section by the program's schema, since a pod that can't read its configuration doesn't start.

    Returns the definitions for it.
    """
    whole = json_schema()
    known = {key: value for key, value in whole["properties"].items() if key not in _CHARTS_OWN}
    section |= {"additionalProperties": False, "properties": known}
    definitions: JSONValue = whole["$defs"]
    return definitions
