"""The page of a family in `tests/families/words`: what people read of its rules, a section for each, and lists of the cases' texts.

A section has the rule's findings on its bad example, the fields on which the rule depends, and for LLMKube the findings in other
situations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.llmkube import situations
from tests.programs.words import dependence, prose
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule

FOLDER: Final = Path(__file__).resolve().parents[2] / "families" / "words"
DEPENDS: Final = "Depends on"
SITUATIONS: Final = "In situations"
#: The lists of a rule's section by their headings, each with its entries, and the only family that has it, if there is one.
_PARTS: Final[dict[str, tuple[Callable[[Family, Rule], list[str]], str]]] = {
    DEPENDS: (dependence.lines, ""),
    SITUATIONS: (situations.lines, "llmkube"),
}
_HEAD: Final = """\
Written by `make words`. When this page changes, read the difference aloud.

- Depends on: the fields that decide whether a rule reports its examples. Each field of an example and of its cluster was changed by itself.
  With a change under "silent" the rule no longer reports its bad example, and with one under "speaks" it reports its good example. "Says
  also" has the findings of changed examples that neither example has.
"""
_OF_SITUATIONS: Final = """\
- In situations: the findings on a rule's bad example, as it is and with one part of it or of its cluster changed; `situations.py` has the
  changes. Below each finding are the situations that have it. In a situation with none of the findings the rule reports nothing.
"""
_ENTRIES: Final = re.compile(r"(?<=\n)(#### .+\n\n)(?:(?:- |  ).*\n)*")


def file_of(family: Family) -> Path:
    """The file with a family's page."""
    return FOLDER / f"{family.name}.md"


def page(family: Family) -> str:
    """The page of a family."""
    return _page(family, lambda rule, part: _PARTS[part][0](family, rule))


def outline(family: Family) -> str:
    """The page of a family without the entries of its rules' lists."""
    return _page(family, lambda *_: [])


def outline_of(text: str) -> str:
    """The outline of a page."""
    return _ENTRIES.sub(r"\1", text)


def section(family: Family, rule: Rule) -> str:
    """The section of a rule as it is written in the family's file, without its heading; empty if it has none."""
    return (
        file_of(family)
        .read_text(encoding="utf-8")
        .partition(f"\n### {rule.id} {rule.name}\n\n")[2]
        .partition("\n### ")[0]
        .partition("\n## ")[0]
    )


def entries(family: Family, rule: Rule, part: str) -> list[str]:
    """The entries of a list of a rule's section as they are written."""
    listed = section(family, rule).partition(f"\n#### {part}\n\n")[2].partition("\n#")[0].rstrip("\n")
    return listed.removeprefix("- ").split("\n- ") if listed else []


def _page(family: Family, listed: Callable[[Rule, str], list[str]]) -> str:
    parts = [part for part, (_, only) in _PARTS.items() if only in ("", family.name)]
    head = _HEAD + (_OF_SITUATIONS if SITUATIONS in parts else "")
    rules = "\n".join(_section(family, rule, {part: listed(rule, part) for part in parts}) for rule in family.rules())
    lists = "".join(f"\n## {title}\n\n{_list(lines)}" for title, told in prose.LISTS.items() if (lines := told(family)))
    return f"# {family.title}\n\n{head}\n## Rules\n\n{rules}{lists}"


def _section(family: Family, rule: Rule, lists: dict[str, list[str]]) -> str:
    listed = "".join(f"\n#### {part}\n\n{_list(lines)}" for part, lines in lists.items())
    return f"### {rule.id} {rule.name}\n\n{prose.findings(family, rule)}{listed}"


def _list(lines: list[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)
