"""Which tests coverage isn't measured in: they repeat through another door what others cover, and would take three times as long."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

import pytest

REPETITIONS: Final = (
    "tests/acceptance/test_agrees_with_server.py",
    "tests/doors/test_command_line.py",
    "tests/doors/test_http.py",
    "tests/doors/test_upstream_manifests.py",
    "tests/e2e",
    "tests/facts/test_redaction.py",
    "tests/families/test_reads.py",
    "tests/llmkube/test_operator_records.py",
    "tests/llmkube/test_rules_on_records.py",
    "tests/ome/test_corpus.py",
    "tests/programs",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark them, as pytest-cov wants it."""
    for item in items:
        if is_repetition(item.path.relative_to(config.rootpath)):
            item.add_marker(pytest.mark.no_cover)


def is_repetition(path: PurePath) -> bool:
    """Whether a file of tests, by its path in the checkout, is one of them or lies in one of their folders."""
    return any(path.is_relative_to(repetition) for repetition in REPETITIONS)
