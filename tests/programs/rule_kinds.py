"""Writes `rules/_kinds.py` of each family: which kinds each rule is asked about, so that a command imports the rules of its kinds alone."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from weighbridge.policies.families import families
from weighbridge.policies.families.family import Family

#: The longest line of Python here, with its end.
_WIDTH: Final = 141


def page(family: Family) -> str:
    """The content of a family's file."""
    return "".join(_lines(family))


def path_of(family: Family) -> Path:
    """The path of a family's file."""
    return Path(str(files(family.package))) / "rules" / "_kinds.py"


def _lines(family: Family) -> Iterator[str]:
    yield '"""Written by `make schemas`: the kinds of each rule, by the name of its module."""\n\n'
    yield "from __future__ import annotations\n\nfrom typing import Final\n\nKINDS: Final = {\n"
    for rule in family.rules():
        module, kinds = f"{rule.id}_{rule.name}".lower().replace("-", "_"), [f'"{kind}"' for kind in sorted(rule.kinds)]
        line = f'    "{module}": ({", ".join(kinds)}{"," * (len(kinds) == 1)}),\n'
        if len(line) <= _WIDTH:
            yield line
        else:
            # As `ruff format` has it.
            yield from (f'    "{module}": (\n', *(f"        {kind},\n" for kind in kinds), "    ),\n")
    yield "}\n"


def write(family: Family) -> None:
    """Write a family's file where it isn't current: another program may be reading it."""
    path, text = path_of(family), page(family)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in families():
        write(each)
