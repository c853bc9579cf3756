"""Writes `rules/_kinds.py` of each family: the kinds of each rule, so that a command imports only the rules of its kinds."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from textwrap import wrap
from typing import Final

from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family

#: The greatest length of a line of Python in this project.
_WIDTH: Final = 140


def page(family: Family) -> str:
    """The content of a family's file."""
    return "".join(_lines(family))


def path_of(family: Family) -> Path:
    """The path of a family's file."""
    return Path(str(files(family.package))) / "rules" / "_kinds.py"


def _lines(family: Family) -> Iterator[str]:
    yield '"""Written by `make schemas`: the rules of each kind, by the numbers in their ids."""\n\n'
    yield "from typing import Final\n\nKINDS: Final = {\n"
    rules = family.rules()
    for kind in sorted({kind for rule in rules for kind in rule.kinds}):
        numbers = " ".join(rule.id.rpartition("-")[2] for rule in rules if kind in rule.kinds)
        line = f'    "{kind}": "{numbers}",'
        if len(line) <= _WIDTH:
            yield f"{line}\n"
        else:
            # The form of `ruff format`.
            parts = wrap(numbers, _WIDTH - len('        " "'))
            yield from (f'    "{kind}": (\n', *(f'        "{part} "\n' for part in parts[:-1]), f'        "{parts[-1]}"\n    ),\n')
    yield "}\n"


def write(family: Family) -> None:
    """Write a family's file if it isn't current. A current one stays, since another program may be reading it."""
    path, text = path_of(family), page(family)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in families():
        write(each)
