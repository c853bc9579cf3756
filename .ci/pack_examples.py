"""A build hook: packs the cases that rules name as their examples into the wheel, one file for each family.

In a checkout the cases themselves are read (`webhook/inputs/rule_examples.py`). The build has nothing but hatchling, so the names of the
cases are taken from the texts of the rules.
"""

from __future__ import annotations

import ast
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackExamples(BuildHookInterface[Any]):
    """Makes the files before the build, and removes them after it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add a file for each family."""
        self._folder = Path(mkdtemp(prefix="weighbridge-examples-"))
        for rules in sorted(Path(self.root, "policies", "families").glob("*/rules")) if version != "editable" else ():
            family = rules.parent.name
            cases = {name: _texts(Path(self.root, "tests", "cases", family, name)) for name in sorted(set(_named(rules)))}
            packed = self._folder / f"{family}.json"
            packed.write_text(json.dumps(cases, ensure_ascii=False, indent=1), encoding="utf-8")
            build_data["force_include"][str(packed)] = f"weighbridge/examples/{packed.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made."""
        shutil.rmtree(self._folder)


def _named(rules: Path) -> Iterator[str]:
    """The names of the cases that a family's rules have as `good` and `bad`."""
    for path in rules.glob("[!_]*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg in {"good", "bad"} and isinstance(node.value, ast.Constant):
                yield str(node.value.value)


def _texts(case: Path) -> dict[str, str]:
    """The files of a case, without what is expected of it."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(case.glob("*.yaml")) if path.stem != "expect"}
