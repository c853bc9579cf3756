"""Migrates a text as the command migrates a file."""

from __future__ import annotations

from typing import Any

from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.webhook.manifests import Source
from weighbridge.webhook.migration.files import Migrated, migrated


def migrate(text: str, config: Configuration = DEFAULT) -> Migrated:
    """The migrated form of a text."""
    return migrated(Source("a.yaml", text.encode()), config)


def told(result: Migrated) -> list[str]:
    """The remarks, each with its field."""
    return [f"{placed.remark.told} {'.'.join(map(str, placed.remark.path))}" for placed in result.told]


def objects(text: str) -> list[Any]:
    """The documents of a text."""
    return list(read_all(text))
