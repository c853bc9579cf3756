"""Reads the section that a namespace brings: its text, its mistakes, and whether it only narrows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from certs.regular_file import too_large
from policies.config import Configuration, NamespaceSection, PlacedSection, parse_section
from policies.config.namespaces import NamespaceDocument
from webhook.configuration.contradictions import section_contradictions
from webhook.configuration.mistakes import ConfigurationError, Mistake, mistake_at
from webhook.configuration.reading import only_document, parsed
from webhook.configuration.section_config_maps import KEY, MOST_BYTES
from webhook.manifests import Document

_KIND = "NamespaceConfiguration"


def read_section(config: Configuration, namespace: str, origin: str, text: str | None) -> tuple[PlacedSection | None, Sequence[Mistake]]:
    """The section of a namespace, or why it can't be used beside the cluster-wide document; `text` is `None` where it has none."""
    document, section, mistakes = _read(text)
    if section is None or document is None or mistakes:
        return None, mistakes
    placed = PlacedSection(namespace, section, origin)
    found = [mistake_at(document, path, why) for path, why in section_contradictions(config, placed)]
    return (None, found) if found else (placed, ())


@lru_cache(maxsize=4096)
def _read(text: str | None) -> tuple[Document | None, NamespaceSection | None, Sequence[Mistake]]:
    """What a text says, by itself; every section is read again whenever one of them has changed."""
    if text is None:
        return None, None, [Mistake(KEY, 0, 0, "", "there is no such key with text in its data")]
    data = text.encode(errors="replace")
    if len(data) > MOST_BYTES:
        return None, None, [Mistake(KEY, 0, 0, "", too_large(MOST_BYTES))]
    try:
        document, issues = only_document(KEY, data, _KIND)
    except ConfigurationError as error:
        return None, None, error.mistakes
    if not isinstance(document.value, dict):
        return None, None, [Mistake(KEY, 1, 0, "", "a section is a map with rules, enforcement, references, images or fillIn")]
    section, mistakes, _ = parsed(document, document.value, parse_section, NamespaceDocument)
    return document, section, [*issues, *mistakes]
