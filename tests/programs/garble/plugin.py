"""A pytest plugin: with `--garble PART` every rule's findings have that part changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from weighbridge.policies.families.rule import Rule, Violation
from weighbridge.policies.ground.findings import Finding

PARTS: Final = ("message", "hint", "found", "expected", "path")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the part."""
    parser.addoption("--garble", choices=PARTS, required=True, help="the part of findings that is changed")


def pytest_configure(config: pytest.Config) -> None:
    """Change the findings of rules from here on."""
    part = config.getoption("--garble")
    finding = Rule.finding

    def garbled(rule: Rule, said: Violation) -> Finding:
        changed: dict[str, Any] = {}
        if part == "path":
            changed = {part: (*said.path, "garbled")}
        elif getattr(said, part):
            changed = {part: f"{getattr(said, part)[::-1]}!"}
        return finding(rule, replace(said, **changed))

    Rule.finding = garbled  # type: ignore[method-assign, assignment]
