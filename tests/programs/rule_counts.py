"""Writes into docs/policies.md how many built-in rules its runs of `weighbridge test` count: each new rule of their kinds changes that."""

from __future__ import annotations

import re
from typing import Final

from tests.command_line import run
from tests.conftest import ROOT
from weighbridge.policies.families.llmkube.family import FAMILY

PATH: Final = ROOT / "docs" / "policies.md"
_LINE: Final = re.compile(r"^built-in rules of these kinds: .*$", re.MULTILINE)
_GALLERY: Final = ("docs/examples/policies/cases", "--config", "docs/examples/policies/gallery.yaml")


def with_counts(page: str) -> str:
    """The page with today's numbers: those of its first policy, whose cases are InferenceServices of LLMKube, and of the gallery."""
    gallery = _LINE.search(run("test", *_GALLERY, "--coverage", cwd=ROOT).stdout)
    assert gallery is not None
    lines = [f"built-in rules of these kinds: 0 of {len(FAMILY.rules_for('InferenceService'))} report a case", gallery[0]]
    written, count = _LINE.subn(lambda _: lines.pop(0), page, count=2)
    assert count == 2, "docs/policies.md doesn't count the rules of two runs"
    return written


def write() -> None:
    """Write the numbers into the page."""
    PATH.write_text(with_counts(PATH.read_text(encoding="utf-8")), encoding="utf-8")
