"""Writes `policies/user_policies/core_types.json` from the OpenAPI documents of a Kubernetes checkout.

    python -m tests.programs.user_policies.core_types ~/go/pkg/mod/k8s.io/kubernetes@v1.36.3

Only the form stays: names of fields and their types, each type once. Quantities are integers or strings, as manifests have them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.conftest import ROOT

TARGET: Final = ROOT / "policies" / "user_policies" / "core_types.json"
#: The kinds by the documents that have them.
_KINDS: Final = {
    "api__v1": ("LimitRange", "Namespace", "PersistentVolume", "PersistentVolumeClaim", "Pod", "Service"),
    "apis__node.k8s.io__v1": ("RuntimeClass",),
    "apis__scheduling.k8s.io__v1": ("PriorityClass",),
    "apis__storage.k8s.io__v1": ("StorageClass",),
}
_INT_OR_STRING: Final = {"x-kubernetes-int-or-string": True}


class _Writer:
    """Collects the types of one document after the other."""

    def __init__(self) -> None:
        self.types: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._schemas: dict[str, Any] = {}

    def kinds(self, schemas: dict[str, Any], wanted: tuple[str, ...]) -> dict[str, str]:
        """The types of some kinds of a document, by ``Kind.group``."""
        self._schemas = schemas
        found = {}
        for name, schema in schemas.items():
            meant = schema.get("x-kubernetes-group-version-kind", ())
            if len(meant) == 1 and meant[0]["kind"] in wanted:
                found[f"{meant[0]['kind']}.{meant[0]['group']}".rstrip(".")] = self._type(name)
        return found

    def _type(self, name: str) -> str:
        if name in self._names:
            return self._names[name]
        key = name.rpartition(".")[2]
        if key in self.types:
            raise ValueError(f"two types are called {key}")
        self._names[name] = key
        self.types[key] = None
        self.types[key] = self._form(self._schemas[name])
        return key

    def _form(self, schema: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return {"$ref": self._type(schema["$ref"].rpartition("/")[2])}
        if len(schema.get("allOf", ())) == 1:
            return self._form(schema["allOf"][0])
        if schema.get("oneOf"):
            return dict(_INT_OR_STRING)
        found: dict[str, Any] = {"type": schema["type"]} if "type" in schema else {}
        if schema.get("format") in {"byte", "date-time"}:
            found["format"] = schema["format"]
        if "properties" in schema:
            found["properties"] = {key: self._form(value) for key, value in schema["properties"].items() if key != "managedFields"}
        for key in ("items", "additionalProperties"):
            if key in schema:
                found[key] = self._form(schema[key])
        return found


def written(checkout: Path) -> str:
    """The text of the file, from a checkout of Kubernetes."""
    writer = _Writer()
    kinds: dict[str, str] = {}
    for document, wanted in _KINDS.items():
        text = (checkout / "api" / "openapi-spec" / "v3" / f"{document}_openapi.json").read_text()
        kinds |= writer.kinds(json.loads(text)["components"]["schemas"], wanted)
    lines = [f"{json.dumps(name)}: {json.dumps(form, separators=(',', ':'))}" for name, form in sorted(writer.types.items())]
    return f'{{"kinds": {json.dumps(kinds, sort_keys=True)},\n"types": {{\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    TARGET.write_text(written(Path(sys.argv[1])))
