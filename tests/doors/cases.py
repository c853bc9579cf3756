"""Reads the cases: one folder each, readable alone.

`object.yaml` is what comes in, `old.yaml` what it replaces, `cluster.yaml` what the cluster holds (its objects, or one snapshot),
`config.yaml` the configuration. In
`expect.yaml` the first line says in words what the case shows; its keys: `allowed`, `code`, `message`, `causes`, `warnings`, `patch`
(exact where given), `findings` (the ids of all errors and warnings of rules, in order), `unchecked` (ids), `nearest`, `object` (a part of
the stored object), `fieldValidation` (Strict unless given).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from policies.apiserver.definitions import Definitions
from policies.config import Configuration, parse
from policies.facts import Facts, from_objects
from policies.facts.document import is_snapshot, read_header
from policies.objects import FieldValidation, GroupVersionKind, Operation, name_of, namespace_of
from policies.request import Request
from webhook.inputs import bundled_definitions

ROOT = Path(__file__).resolve().parent.parent / "cases"


@dataclass(frozen=True)
class Case:
    """One case; `folder` is where its files lie."""

    folder: Path
    object: Any
    old: Any
    cluster: list[Any] | None
    config: dict[str, Any] | None
    expect: dict[str, Any]

    @property
    def id(self) -> str:
        """What the test is called."""
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def operation(self) -> Operation:
        """UPDATE where there is an old object."""
        return Operation.UPDATE if self.old is not None else Operation.CREATE

    @property
    def field_validation(self) -> FieldValidation:
        """Strict, as kubectl sends it, unless the case says otherwise."""
        return FieldValidation(self.expect.get("fieldValidation", "Strict"))

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
        """What is known of the cluster: all of it where the case has a cluster."""
        known = definitions or bundled_definitions(self.configuration())
        documents = self.cluster or []
        snapshot = next((document for document in documents if is_snapshot(document)), None)
        if snapshot is not None:
            return from_objects(snapshot["items"], known, extent=read_header(snapshot).extent)
        return from_objects(documents, known)

    def configuration(self) -> Configuration:
        """The case's configuration, or the default one."""
        return parse(self.config or {})


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text()) if path.exists() else None


def load(folder: Path) -> Case:
    """Read one case."""
    cluster = folder / "cluster.yaml"
    return Case(
        folder=folder,
        object=_read(folder / "object.yaml"),
        old=_read(folder / "old.yaml"),
        cluster=list(yaml.safe_load_all(cluster.read_text())) if cluster.exists() else None,
        config=_read(folder / "config.yaml"),
        expect=_read(folder / "expect.yaml"),
    )


def all_cases() -> list[Case]:
    """Every case, by family and name."""
    return [load(path.parent) for path in sorted(ROOT.glob("*/*/expect.yaml"))]


CASES = all_cases()
IDS = [case.id for case in CASES]
