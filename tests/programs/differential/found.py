"""The requests of found.yaml, which the engine once answered differently."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from tests.programs.differential.cases import Case
from tests.programs.differential.resources import Crd, Edition, editions, own_crds
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue, Operation, metadata_of

_FILE = Path(__file__).with_name("found.yaml")


@dataclass(frozen=True, slots=True)
class Found:
    """One request of the file."""

    name: str
    crd: str
    version: str
    validation: FieldValidation
    subresource: str
    stored: JSONObject | None
    body: JSONObject
    answer: JSONObject

    def edition(self) -> Edition:
        """The version of the CRD that it is for."""
        return next(
            edition
            for crd in crds()
            for edition in editions(crd)
            if crd.name.startswith(f"{self.crd}.") and edition.definition.gvk.version == self.version
        )

    def stored_body(self) -> JSONObject | None:
        """The object that has to be stored for it."""
        gvk = self.edition().definition.gvk
        return None if self.stored is None else {"apiVersion": gvk.api_version, "kind": gvk.kind} | self.stored

    def case(self, edition: Edition, stored: JSONObject | None) -> Case:
        """The request; `stored` is the object that it changes."""
        gvk = edition.definition.gvk
        base = stored or {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "a"}}
        kept = {key: value for key, value in metadata_of(base).items() if key in ("name", "namespace", "resourceVersion", "uid")}
        body = (base if not self.subresource else {}) | self.body
        body["metadata"] = (kept if self.subresource else metadata_of(base)) | metadata_of(self.body)
        operation = Operation.CREATE if stored is None else Operation.UPDATE
        return Case(edition, operation, body, self.validation, (self.name,), stored, self.subresource)


@cache
def crds() -> tuple[Crd, ...]:
    """The CRDs of the requests."""
    return tuple(own_crds())


def found() -> list[Found]:
    """All requests of the file."""
    entries: list[JSONObject] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return [
        Found(
            name=entry["name"],
            crd=entry["crd"],
            version=entry.get("version", "v1"),
            validation=FieldValidation(entry.get("validation", "Strict")),
            subresource=entry.get("subresource", ""),
            stored=entry.get("stored"),
            body=_repeated(entry["body"]),
            answer=entry["answer"],
        )
        for entry in entries
    ]


def _repeated(value: JSONValue) -> JSONValue:
    """The value with `{text: x, times: n}` and `{item: x, times: n}` written out."""
    if isinstance(value, list):
        return [_repeated(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"text", "times"}:
        return value["text"] * value["times"]
    if set(value) == {"item", "times"}:
        return [_repeated(value["item"])] * value["times"]
    return {key: _repeated(item) for key, item in value.items()}
