"""Sections of the configuration that namespaces bring themselves: ConfigMaps with a label, each with its text under one key.

One that can't be used, or that would widen what the cluster-wide document allows, is left out completely, and every verdict in its
namespace says so. The modules that read the texts are imported when there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from weighbridge.policies.config import Configuration, PlacedSection
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import text, text_map
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.webhook.configuration.section_config_maps import KEY, MOST_IN_NAMESPACE, is_section, origin_of

_MOST_TOLD: Final = 5
#: The results for ConfigMaps, by their names and texts: the section, or why it isn't used.
Known = dict[tuple[str, str | None], PlacedSection | str]
_BEYOND: Final = f"only the first {MOST_IN_NAMESPACE} ConfigMaps of a namespace are read, by name; move what it says into one of them"


def in_force(config: Configuration, facts: Facts, moment: datetime) -> Configuration:
    """The configuration at a moment, with the sections that the namespaces of a snapshot or of manifests bring."""
    return with_config_maps(config, facts.objects.list("", "ConfigMap")).at(moment)


def with_config_maps(config: Configuration, config_maps: Iterable[JSONObject], known: Known | None = None) -> Configuration:
    """The configuration with the sections of labelled ConfigMaps, sorted by name, which replace earlier ones.

    `known` has the results for ConfigMaps with this configuration so far, and is updated.
    """
    meant = sorted(filter(is_section, config_maps), key=lambda obj: (namespace_of(obj), name_of(obj)))
    if not (meant or config.brought or config.notes):
        return config
    from weighbridge.webhook.configuration.sections import read_section

    sections: list[PlacedSection] = []
    notes: dict[str, list[str]] = {}
    before = known or {}
    found: Known = {}
    count: Counter[str] = Counter()
    for config_map in meant:
        namespace, origin, written = namespace_of(config_map), origin_of(config_map), text(text_map(config_map, "data"), KEY) or None
        key = origin, written
        count[namespace] += 1
        if count[namespace] > MOST_IN_NAMESPACE:
            section: PlacedSection | str = _BEYOND
        else:
            section = found[key] = before[key] if key in before else read_section(config, namespace, origin, written)
        if isinstance(section, str):
            notes.setdefault(namespace, []).append(f"{origin} is not used: {section}")
        else:
            sections.append(section)
    if known is not None:
        known.clear()
        known.update(found)
    return config.with_sections(sections, {namespace: tuple(told) for namespace, told in notes.items()})


def troubles(config: Configuration) -> list[str]:
    """The lines that are logged about a configuration in force: exceptions that have ended, sections that aren't used."""
    ended = [
        f"exceptions[{index}] from {', '.join(entry.rules)} ended: {entry.expires} ({entry.reason})" for index, entry in config.expired
    ]
    if len(ended) > _MOST_TOLD:
        ended = [*ended[:_MOST_TOLD], f"{len(ended) - _MOST_TOLD} more exceptions ended"]
    return [*ended, *(note for namespace in config.notes for note in config.notes_of(namespace, _MOST_TOLD))]
