"""Reads YAML for tests with libyaml: Python's own parser takes five times as long, and some CRDs have 40,000 lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml


def read(text: str) -> Any:
    """The only document."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def read_all(text: str) -> Iterator[Any]:
    """Every document; an empty one is None."""
    yield from yaml.load_all(text, Loader=yaml.CSafeLoader)
