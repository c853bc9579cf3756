"""A pytest plugin: with `--garble PART` every rule's findings have that part changed."""

from __future__ import annotations

from typing import Any, Final

import pytest

from policies.families.family import Rule
from policies.findings import Finding
from policies.objects import Path

PARTS: Final = ("message", "hint", "found", "expected", "path")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the part."""
    parser.addoption("--garble", choices=PARTS, required=True, help="the part of findings that is changed")


def pytest_configure(config: pytest.Config) -> None:
    """Change what rules find from here on."""
    part = config.getoption("--garble")
    finding = Rule.finding

    def garbled(rule: Rule, path: Path, message: str, **parts: Any) -> Finding:
        if part == "message":
            message = f"{message[::-1]}!"
        elif part == "path":
            path = (*path, "garbled")
        elif parts.get(part):
            parts[part] = f"{parts[part][::-1]}!"
        return finding(rule, path, message, **parts)

    Rule.finding = garbled  # type: ignore[method-assign, assignment]
