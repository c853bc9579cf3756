"""Writes `examples.yaml` of each family, or of the named families. It has the texts of the two cases that each rule names."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from textwrap import indent

from tests.doors.parts import texts
from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family

_CASES = Path(__file__).resolve().parents[1] / "cases"
_PARTS = ("object", "old", "cluster", "config")


def page(family: Family) -> str:
    """The content of a family's file."""
    return "".join(_lines(family))


def path_of(family: Family) -> Path:
    """The path of a family's file."""
    return Path(str(files(family.package))) / "examples.yaml"


def _lines(family: Family) -> Iterator[str]:
    yield "# Written by `make schemas`: the cases that rules name as their examples. What both have is written once, under `both`.\n"
    names: dict[str, str] = {}
    for rule in family.rules():
        good, bad = (_parts(_CASES / family.name / name) for name in (rule.good, rule.bad))
        both = {part: text for part, text in good.items() if bad.get(part) == text}
        yield f"{rule.id}:\n"
        for side, parts in (("both", both), ("good", good), ("bad", bad)):
            own = {part: text for part, text in parts.items() if side == "both" or part not in both}
            if own:
                yield f"  {side}:\n"
                yield from (f"    {part}: {_value(part, text, names)}\n" for part, text in own.items())


def _value(part: str, text: str, names: dict[str, str]) -> str:
    """A text in YAML. Many rules have the same cluster: it is written once, with an anchor to which the others refer."""
    if text in names:
        return f"*{names[text]}"
    if part == "cluster":
        names[text] = f"cluster-{len(names) + 1}"
    anchor = f"&{names[text]} " if text in names else ""
    return f"{anchor}|2\n{indent(text, ' ' * 6)}"


def _parts(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        sys.exit(f"{folder}: no such case; a rule names it as an example")
    found = texts(folder)
    return {part: found[part].strip() for part in _PARTS if part in found}


def write(family: Family) -> None:
    """Write a family's file."""
    path_of(family).write_text(page(family), encoding="utf-8")


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for each in families():
        if not wanted or each.name in wanted:
            write(each)
