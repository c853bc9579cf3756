"""Reads the cases: one folder each, readable alone.

`object.yaml` is the object of the request, `old.yaml` the object that it replaces, `cluster.yaml` the cluster (its objects, or one
snapshot), `config.yaml` the configuration. Objects of the cluster may also follow the object in `object.yaml`, as further documents. In
`expect.yaml` the first line says in words what the case shows; CONTRIBUTING.md describes its keys. A case with any other key or file isn't
read, since that part would never be checked.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tests.doors.parts import CaseError, texts
from tests.yaml_documents import read, read_all
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import is_snapshot, read_header
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

ROOT = Path(__file__).resolve().parent.parent / "cases"
KEYS = (
    "allowed", "causes", "code", "fieldValidation", "findings", "message", "nearest", "notes", "object", "patch", "unchecked", "warnings",
)  # fmt: skip
FILES = ("cluster.yaml", "config.yaml", "expect.yaml", "object.yaml", "old.yaml")


@dataclass(frozen=True)
class Case:
    """One case; `folder` has its files."""

    folder: Path
    object: Any
    old: Any
    cluster: list[Any] | None
    config: dict[str, Any] | None
    expect: dict[str, Any]

    @property
    def id(self) -> str:
        """The id of the test."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def operation(self) -> Operation:
        """UPDATE if there is an old object."""
        return Operation.UPDATE if self.old is not None else Operation.CREATE

    @property
    def field_validation(self) -> FieldValidation:
        """Strict, as kubectl sends it, unless the case says otherwise."""
        return FieldValidation(self.expect.get("fieldValidation", "Strict"))

    def file(self, part: str) -> Path | None:
        """The file to give to a command as the case's `object`, `old`, `cluster` or `config`; `None` if the case has no such part."""
        own = self.folder / f"{part}.yaml"
        if part not in {"object", "cluster"} or (self.folder / "cluster.yaml").exists() or self.cluster is None:
            return own if own.exists() else None
        apart = _folder_of_this_run() / self.id / own.name
        apart.parent.mkdir(parents=True, exist_ok=True)
        apart.write_text(texts(self.folder)[part])
        return apart

    def request(self) -> Request:
        """The request that an API server would see."""
        gvk = GroupVersionKind.from_object(self.object)
        assert gvk is not None
        return Request(
            uid="case",
            operation=self.operation,
            gvk=gvk,
            object=self.object,
            old_object=self.old,
            namespace=namespace_of(self.object),
            name=name_of(self.object),
            field_validation=self.field_validation,
        )

    def facts(self, definitions: Definitions | None = None) -> Facts:
        """The facts: the whole cluster if the case has one."""
        known = definitions or bundled_definitions(self.configuration())
        documents = self.cluster or []
        snapshot = next((document for document in documents if is_snapshot(document)), None)
        if snapshot is not None:
            return from_objects(snapshot["items"], known, extent=read_header(snapshot).extent)
        return from_objects(documents, known)

    def configuration(self) -> Configuration:
        """The case's configuration, or the default one."""
        return parse(self.config or {})

    @cached_property
    def decision(self) -> Decision:
        """The engine's decision, for tests that compare something else with it; they must not change it."""
        return decide(self.request(), self.facts(), self.configuration())


@cache
def _folder_of_this_run() -> Path:
    """The folder for files of cases that a command reads as one file."""
    folder = tempfile.mkdtemp(prefix="weighbridge-cases-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def load(folder: Path) -> Case:
    """Read one case. Raises CaseError if there is none, and for a file or a key of expect.yaml that has no meaning."""
    if not folder.is_dir():
        raise CaseError(f"{folder}: no such case; a rule names it as an example")
    for path in folder.iterdir():
        if path.name not in FILES:
            raise CaseError(f"{path}: no file of a case; {_would_do(path.name, FILES)}")
    parts = texts(folder)
    return Case(
        folder=folder,
        object=read(parts.get("object", "")),
        old=read(parts.get("old", "")),
        cluster=list(read_all(parts["cluster"])) if "cluster" in parts else None,
        config=read(parts.get("config", "")),
        expect=_expectation(folder / "expect.yaml"),
    )


class _Unwritten(dict[str, Any]):
    """The expectation of a case without `expect.yaml`; `make words` writes it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def __missing__(self, key: str) -> Any:
        raise CaseError(f"{self._path}: missing; run `make words`, which writes it, and read what it expects")


def _expectation(path: Path) -> dict[str, Any]:
    if not path.exists():
        return _Unwritten(path)
    text = path.read_text()
    if not text.startswith("# "):
        raise CaseError(f"{path}:1: no sentence; begin with a comment that says what the case shows")
    expect: dict[str, Any] = read(text) or {}
    for key in expect:
        if key not in KEYS:
            line = next((number for number, line in enumerate(text.splitlines(), 1) if line.startswith(f"{key}:")), 1)
            raise CaseError(f"{path}:{line}: {key}: unknown key; {_would_do(key, KEYS)}")
    if not isinstance(expect.get("allowed"), bool):
        raise CaseError(f"{path}: allowed: missing; write true or false")
    return expect


def _would_do(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else f"the keys here are {', '.join(known)}"


def all_cases() -> list[Case]:
    """Every case, by family and name."""
    return [load(folder) for folder in sorted(ROOT.glob("*/*"))]


CASES = all_cases()
IDS = [case.id for case in CASES]
