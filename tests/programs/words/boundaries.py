"""The findings of rules at their boundaries: `rule_boundaries` in `tests/llmkube`.

Only words are written: if a rule has more or fewer findings on an object than its entry expects, the entry stays as it is, and the
difference is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.llmkube.test_rule_boundaries import FILES, said
from tests.programs.words.cases import difference
from tests.yaml_documents import read

FAMILY = "llmkube"
_BETWEEN = "---\n"


def write() -> list[str]:
    """Write all files. Returns a line for each entry that differs in more than its words."""
    return [line for path in FILES for line in rewrite(path)]


def rewrite(path: Path) -> Iterator[str]:
    """Write the words of a file's entries; yield in what entries differ."""
    before = path.read_text(encoding="utf-8")
    entries = []
    for number, text in enumerate(before.split(_BETWEEN), 1):
        case = read(text)
        expected, new = case.get("says", []), said(case)
        entries.append(text)
        if _severities(new) != _severities(expected):
            yield f"{path.name}: entry {number}, {case['rule']}: {difference(_severities(new), _severities(expected))}"
        elif new != expected:
            entries[-1] = text.partition("says:\n")[0] + _dumped({"says": new})
    if (after := _BETWEEN.join(entries)) != before:
        path.write_text(after, encoding="utf-8")


def _severities(lines: list[str]) -> list[str]:
    """The severity of each line; `unchecked` if something can't be judged."""
    return [line.split(" ")[0].removesuffix(":") for line in lines]


def _dumped(value: Any) -> str:
    return yaml.safe_dump(value, width=10**6, sort_keys=False)
