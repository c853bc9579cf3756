"""Reads the section that a namespace brings: its text, its first mistake, and whether it only narrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.certs.regular_file import too_large
from weighbridge.policies.config import Configuration, PlacedSection, parse_section
from weighbridge.policies.config.namespaces import NamespaceDocument
from weighbridge.webhook.configuration.contradictions import section_contradictions
from weighbridge.webhook.configuration.mistake import ConfigurationError, Mistake
from weighbridge.webhook.configuration.reader import only_document, parsed, placed
from weighbridge.webhook.configuration.section_config_maps import KEY, MOST_BYTES, MOST_VALUES

_KIND: Final = "NamespaceConfiguration"
#: The longest mistake: every answer in the namespace has it, and a tenant's keys and texts in it can have any length.
_MOST_CHARACTERS: Final = 256


def read_section(config: Configuration, namespace: str, origin: str, text: str | None) -> PlacedSection | str:
    """The section of a namespace, or why it can't be used with the cluster-wide document; `text` is `None` if the ConfigMap has none.

    The text itself isn't kept, since a ConfigMap can be written again and again.
    """
    try:
        section, mistakes = _read(config, namespace, origin, text)
    except ConfigurationError as error:
        section, mistakes = None, error.mistakes
    if section is not None and not mistakes:
        return section
    first = str(mistakes[0])
    more = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
    return f"{first if len(first) <= _MOST_CHARACTERS else f'{first[: _MOST_CHARACTERS - 3]}...'}{more}"


def _read(config: Configuration, namespace: str, origin: str, text: str | None) -> tuple[PlacedSection | None, Sequence[Mistake]]:
    """The section and its mistakes. Raises ConfigurationError."""
    if text is None:
        return None, [Mistake(KEY, 0, 0, "", "there is no such key with text in its data")]
    data = text.encode(errors="replace")
    if len(data) > MOST_BYTES:
        return None, [Mistake(KEY, 0, 0, "", too_large(MOST_BYTES))]
    document, issues = only_document(KEY, data, _KIND, MOST_VALUES)
    if not isinstance(document.value, dict):
        return None, [Mistake(KEY, 1, 0, "", "a section is a map with rules, enforcement, references, images or fillIn")]
    section, mistakes, _ = parsed(document, document.value, parse_section, NamespaceDocument)
    if section is None or issues or mistakes:
        return None, [*issues, *mistakes]
    own = PlacedSection(namespace, section, origin)
    return own, [placed(document, path, why) for path, why in section_contradictions(config, own)]
