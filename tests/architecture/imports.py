"""Which module of the project imports which, read from the source; imports inside functions and those only for types count, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("policies", "webhook", "certs")
#: The package under which the folders are imported.
HOUSE: Final = "weighbridge"


def modules(root: Path = ROOT, packages: tuple[str, ...] = PACKAGES) -> dict[str, Path]:
    """The modules below a folder with their files; a package has its own name."""
    found = {}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = (HOUSE, *path.relative_to(root).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def import_graph(known: Mapping[str, Path]) -> dict[str, frozenset[str]]:
    """For each module the others that it imports."""
    return {name: frozenset(_imported(path, known)) - {name} for name, path in known.items()}


@cache
def project_graph() -> Mapping[str, frozenset[str]]:
    """For each module of the project those that it imports."""
    return MappingProxyType(import_graph(modules()))


def imports_of(path: Path) -> Iterator[tuple[str, str]]:
    """The imports of a file: the module, and the name that is imported from it; the name is empty if the module itself is imported."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for module, name in imports_of(path):
        dotted = f"{module}.{name}"
        if dotted in known:
            yield dotted
        elif module in known:
            yield module


def circles(graph: Mapping[str, AbstractSet[str]]) -> list[list[str]]:
    """The groups of modules in which each leads to all others, sorted."""
    reached = {name: _reachable(name, graph) for name in graph}
    found = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]}
    return sorted(map(sorted, found))


def _reachable(start: str, graph: Mapping[str, AbstractSet[str]]) -> set[str]:
    """The modules that a module imports, directly or through others."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(graph[name])
    return found
