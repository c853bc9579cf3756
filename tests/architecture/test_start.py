"""What a command may import: only what it needs. The limits are numbers of modules, which follow from the code, not times."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.architecture.imports import ROOT, modules

_OURS: Final = "weighbridge."
_POLICIES: Final = "weighbridge.policies."
_FAMILIES: Final = f"{_POLICIES}families."
_LLMKUBE: Final = f"{_FAMILIES}llmkube."
_COMPOSE: Final = "services:\n  web:\n    image: nginx:1.27\n    ports: ['80:80']\n"
_MODEL: Final = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m}
spec: {source: hf://org/model, hardware: {gpu: {count: 1, vendor: amd, runtime: rocm}}}
"""
#: Modules that take long to import and that no plain run needs.
_HEAVY: Final = (
    "ast", "asyncio", "click", "concurrent", "dataclasses", "dis", "email", "glob", "hashlib", "importlib.metadata", "importlib.resources",
    "importlib.util", "inspect", "json", "linecache", "logging", "multiprocessing", "pathlib", "pydantic", "shutil", "signal", "socket",
    "ssl", "subprocess", "tempfile", "threading", "tokenize", "traceback", "typing_extensions", "urllib", "uuid", "weakref", "zoneinfo",
)  # fmt: skip
#: The compilers of schemas and rules, which aren't needed with a warm cache.
_COMPILERS: Final = tuple(f"{_POLICIES}cel.{room}" for room in ("check", "cost", "emit", "library", "syntax"))
_RUN: Final = """\
import atexit, sys
sys.argv[1:] = {!r}
atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))
from weighbridge.webhook.cli.main import main
main()
"""


class Budget(NamedTuple):
    """A command with the modules that it must not import, by the beginnings of their names, and the most modules of ours that it may
    import.
    """

    arguments: tuple[str, ...]
    without: tuple[str, ...]
    most: int


_ROOMS: Final = tuple(
    _POLICIES + room
    for room in ("apiserver", "cel", "codegen", "config", "devices", "facts", "families", "placement", "pods", "schema", "verdict")
)
#: The record of filled-in values is JSON.
_OF_A_MODEL: Final = (
    *(name for name in _HEAVY if name != "json"),
    *_COMPILERS,
    f"{_POLICIES}apiserver.acceptance",
    f"{_POLICIES}apiserver.comparison",
    f"{_POLICIES}devices",
    f"{_POLICIES}placement",
    f"{_POLICIES}pods.admission",
    f"{_POLICIES}pods.requests",
    f"{_POLICIES}pods.validation",
    f"{_POLICIES}apiserver.managed_fields",
    *(f"{_POLICIES}schema.{room}" for room in ("emit.default", "emit.lists", "emit.nulls", "emit.prune", "emit.validate", "explain")),
    f"{_FAMILIES}go_round_trip",
    *(f"{_FAMILIES}{family}.{room}" for family in ("aim", "llmaz", "ome") for room in ("family", "predictions", "rules", "subject")),
    f"{_LLMKUBE}predictions.engines",
    f"{_LLMKUBE}predictions.router",
    f"{_LLMKUBE}predictions.service.reconcile",
    f"{_LLMKUBE}predictions.predicted_service",
    f"{_LLMKUBE}upstream",
    *(f"{_LLMKUBE}rules.llmkube_{number}" for number in ("04", "05", "06", "07", "08", "10", "11", "12", "13", "14", "15", "16")),
    "weighbridge.webhook.configuration.reader",
    *(f"weighbridge.webhook.report.{form}" for form in ("github", "json", "junit", "sarif", "tap")),
)
_OF_CRDS: Final = tuple(name for name in _OF_A_MODEL if not (f"{_POLICIES}apiserver.comparison", f"{_POLICIES}cel.syntax").count(name))
BUDGETS: Final = {
    "the version": Budget(("--version",), (*_HEAVY, "re", "typing", "yaml", "weighbridge.policies", "weighbridge.webhook.cache"), 4),
    "the help": Budget(("--help",), ("yaml", "pydantic", *_ROOMS, "weighbridge.webhook.manifests", "weighbridge.webhook.report"), 22),
    "a file with nothing of ours": Budget(("lint", "compose.yaml"), (*_HEAVY, *_ROOMS, "re2"), 61),
    "a Model": Budget(("lint", "model.yaml"), (*_OF_A_MODEL, f"{_POLICIES}verdict.absent_kinds", f"{_FAMILIES}migration"), 296),
    "a Model with CRDs": Budget(("lint", "--crds", "crds", "model.yaml"), _OF_CRDS, 310),
    "a dry run of a Model": Budget(("dry-run", "model.yaml"), _OF_A_MODEL, 305),
}


def _begins(name: str, start: str) -> bool:
    """Whether a module has a name or is below it; rules are named by the first digits of their numbers."""
    return name == start or name.startswith(start if start[-1].isdigit() else f"{start}.")


def _imported(folder: Path, arguments: tuple[str, ...]) -> list[str]:
    """The modules of a process that ran a command."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE"))}
    environment |= {"WEIGHBRIDGE_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT / ".ci" / "package")}
    # A file, since Python 3.13 imports linecache for the text of an argument.
    program = folder / "run.py"
    program.write_text(_RUN.format(list(arguments)))
    done = subprocess.run([sys.executable, str(program)], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1].split()


@pytest.mark.parametrize("name", BUDGETS)
def test_a_command_imports_no_more_than_it_needs(tmp_path: Path, name: str) -> None:
    budget = BUDGETS[name]
    (tmp_path / "compose.yaml").write_text(_COMPOSE)
    (tmp_path / "model.yaml").write_text(_MODEL)
    shutil.copytree(ROOT / "policies" / "families" / "llmkube" / "crds" / "v0.9.19", tmp_path / "crds")
    _imported(tmp_path, budget.arguments)
    # The compiled units are kept, and the answer isn't.
    shutil.rmtree(tmp_path / "cache" / "runs", ignore_errors=True)
    found = _imported(tmp_path, budget.arguments)
    forbidden = [each for each in found if any(_begins(each, start) for start in budget.without)]
    assert forbidden == []
    ours = [each for each in found if each.startswith(_OURS)]
    assert len(ours) <= budget.most, f"{len(ours)} modules of ours; see what is new with python -X importtime"


def test_what_a_command_must_not_import_is_there() -> None:
    ours = [name for name in modules(ROOT) if name.startswith(_OURS)]
    named = {start for budget in BUDGETS.values() for start in budget.without if start.startswith(_OURS)}
    gone = {start for start in named if not any(_begins(name, start) for name in ours)}
    assert gone == set()


def _at_import(tree: ast.Module) -> Iterator[ast.AST]:
    """The code that runs when a module is imported: all except the bodies of functions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [*node.decorator_list, *node.args.defaults]
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)


#: The forms themselves; and a class that is made from another, when a configuration is read.
_FREE: Final = {
    "weighbridge.policies.ground.records",
    "weighbridge.policies.ground.expressions",
    "weighbridge.policies.families.configuration",
}


def test_classes_and_expressions_are_defined_by_what_costs_nothing() -> None:
    found = []
    for name, path in modules(ROOT).items():
        if name in _FREE or name.startswith("weighbridge.certs"):
            continue
        for node in _at_import(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "dataclasses":
                wrong = {alias.name for alias in node.names} & {"dataclass", "field", "replace"}
                found += [f"{name}: {each} is in weighbridge.policies.ground.records" for each in sorted(wrong)]
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
                found.append(f"{name}:{node.lineno}: write expression(...) of weighbridge.policies.ground.expressions")
    assert found == []
