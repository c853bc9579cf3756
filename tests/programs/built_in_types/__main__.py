"""Writes `policies/apiserver/built_in_types.json`: the types of built-in kinds, by release.

    python -m tests.programs.built_in_types ~/go/pkg/mod/k8s.io

The folder has the modules kubernetes, api and apimachinery of each release, as the Go module cache does. The OpenAPI documents say how the
types merge and which defaults they declare, and the structs what a field is in Go. `policies/apiserver/built_in_types.py` says how a field
is written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.conftest import ROOT
from tests.programs.built_in_types.go_source import GoField, GoPackage
from weighbridge.policies.apiserver.built_in import built_in_groups
from weighbridge.policies.ground.server_release import judging, nearest

TARGET: Final = ROOT / "policies" / "apiserver" / "built_in_types.json"
#: The releases whose types are written, the newest first, each with its modules.
RELEASES: Final = {"1.37": "37.2", "1.36": "36.3", "1.35": "35.4", "1.34": "34.4"}
#: The kinds by the documents that have them.
_KINDS: Final = {
    "api__v1": (
        "ConfigMap", "Endpoints", "LimitRange", "Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim", "Pod", "PodTemplate",
        "ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount",
    ),
    "apis__apps__v1": ("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
    "apis__autoscaling__v2": ("HorizontalPodAutoscaler",),
    "apis__batch__v1": ("CronJob", "Job"),
    "apis__coordination.k8s.io__v1": ("Lease",),
    "apis__discovery.k8s.io__v1": ("EndpointSlice",),
    "apis__networking.k8s.io__v1": ("Ingress", "IngressClass", "NetworkPolicy"),
    "apis__node.k8s.io__v1": ("RuntimeClass",),
    "apis__policy__v1": ("PodDisruptionBudget",),
    "apis__rbac.authorization.k8s.io__v1": ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"),
    "apis__resource.k8s.io__v1": ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate"),
    "apis__scheduling.k8s.io__v1": ("PriorityClass",),
    "apis__storage.k8s.io__v1": ("CSIDriver", "StorageClass"),
}  # fmt: skip
#: The beginning of the names of the types of CRDs.
_SCHEMAS: Final = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
_STABLE: Final = re.compile(r"v\d+")
_META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1."
#: Types with their own decoders, by their names.
_OWN: Final = {
    f"{_META}Time": "time", f"{_META}MicroTime": "microtime", f"{_META}Duration": "duration", f"{_META}FieldsV1": "fields",
    "io.k8s.apimachinery.pkg.api.resource.Quantity": "quantity", "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "intstr",
    "io.k8s.apimachinery.pkg.runtime.RawExtension": "raw",
    **{f"{_SCHEMAS}JSON{name}": "any" for name in ("", "SchemaPropsOrArray", "SchemaPropsOrBool", "SchemaPropsOrStringArray")},
}  # fmt: skip
#: The types among these that are structs, which are written even if they are empty.
_STRUCTS: Final = frozenset({"time", "microtime", "duration", "quantity", "intstr", "raw", "any"})
#: The fields of an embedded TypeMeta.
_TYPE_META: Final = dict.fromkeys(("apiVersion", "kind"), GoField("string", always=False, omits_zero=False))
_PLAIN: Final = {"integer": "int", "boolean": "bool", "number": "float", "string": "string"}


class _Release:
    """The types of one release, by name."""

    def __init__(self, modules: Path, version: str) -> None:
        self._modules, self._version = modules, version
        self._packages: dict[str, GoPackage] = {}
        self._names: dict[str, str] = {}
        self.types: dict[str, dict[str, str]] = {}
        self._documents = modules / f"kubernetes@v1.{version}" / "api" / "openapi-spec" / "v3"
        self._schemas: dict[str, Any] = {}
        self.kinds = dict(self._kinds_in(_KINDS))
        # The stable kinds, without these.
        others: dict[str, list[str]] = {}
        for group, kinds in built_in_groups().items():
            for kind, served in kinds.items():
                for found in filter(_STABLE.fullmatch, served):
                    if f"{group}/{found} {kind}".removeprefix("/") not in self.kinds:
                        others.setdefault(f"apis__{group}__{found}" if group else f"api__{found}", []).append(kind)
        self.others = dict(self._kinds_in(others))

    def _kinds_in(self, documents: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
        """The wanted kinds of documents, each with its type."""
        for document, wanted in documents.items():
            path = self._documents / f"{document}_openapi.json"
            self._schemas = json.loads(path.read_text())["components"]["schemas"]
            for name, schema in sorted(self._schemas.items()):
                meant = schema.get("x-kubernetes-group-version-kind", ())
                if len(meant) == 1 and meant[0]["kind"] in wanted:
                    found = meant[0]
                    api = f"{found['group']}/{found['version']}".removeprefix("/")
                    yield f"{api} {found['kind']}", self._type(name)

    def _package(self, name: str) -> GoPackage:
        """The package of a definition: io.k8s.api.core.v1.Pod is in k8s.io/api/core/v1."""
        module, *folders = name.split(".")[2:-1]
        package = "/".join(folders)
        if package not in self._packages:
            self._packages[package] = GoPackage(self._modules / f"{module}@v0.{self._version}" / package)
        return self._packages[package]

    def _type(self, name: str) -> str:
        if name in self._names:
            return self._names[name]
        key = name.rpartition(".")[2]
        if key in self.types:
            key = f"{name.split('.')[-3].capitalize()}{key}"
        assert key not in self.types, name
        self._names[name] = key
        self.types[key] = {}
        schema = self._schemas[name]
        fields = self._package(name).fields(name.rpartition(".")[2])
        forms = schema.get("properties", {})
        ordered = dict.fromkeys(field for field in (*_TYPE_META, *fields) if field in forms)
        written = {field: self._field(forms[field], fields.get(field) or _TYPE_META[field], name) for field in ordered}
        assert written.keys() == forms.keys(), name
        if schema.get("x-kubernetes-map-type") == "atomic":
            written["~"] = ""
        self.types[key] = written
        return key

    def _field(self, schema: dict[str, Any], field: GoField, owner: str) -> str:
        kind = self._form(schema, field.type.removeprefix("*"), owner)
        is_struct = kind.lstrip("~+")[:1].isupper() or kind in _STRUCTS
        mark = "*" if field.type.startswith("*") else ""
        always = field.always or (is_struct and not mark and not field.omits_zero)
        default = schema.get("default")
        end = f"={json.dumps(default)}" if default or (mark and default is not None and default != {}) else ""
        return f"{mark}{'!' if always and not mark else ''}{kind}{end}"

    def _form(self, schema: dict[str, Any], go_type: str, owner: str) -> str:
        atomic = {"atomic": "~", "granular": "+"}.get(schema.get("x-kubernetes-map-type", ""), "")
        inner = schema["allOf"][0] if len(schema.get("allOf", ())) == 1 else schema
        if "$ref" in inner:
            name = inner["$ref"].rpartition("/")[2]
            return _OWN.get(name) or f"{atomic}{self._type(name)}"
        go = self._package(owner).named.get(go_type, go_type)
        if schema.get("type") == "array":
            how = {"set": "=", "map": ",".join(schema.get("x-kubernetes-list-map-keys", ()))}.get(
                schema.get("x-kubernetes-list-type", ""), ""
            )
            if not how and schema.get("x-kubernetes-patch-strategy", "").startswith("merge") and "x-kubernetes-list-type" not in schema:
                how = schema.get("x-kubernetes-patch-merge-key", "=")
            return f"[{how}]{self._form(schema['items'], go.removeprefix('[]').removeprefix('*'), owner)}"
        if "additionalProperties" in schema:
            return f"{{{atomic}}}{self._form(schema['additionalProperties'], go.partition(']')[2], owner)}"
        if schema.get("format") == "byte":
            return "bytes"
        if schema.get("type") == "integer":
            return "int32" if schema.get("format") == "int32" else "int64"
        plain = _PLAIN[schema["type"]]
        return f"string:{go_type}" if plain == "string" and go_type != "string" else plain


def written(modules: Path) -> str:
    """The text of the file."""
    releases = {}
    for release, version in RELEASES.items():
        judge = nearest(release)
        assert judge is not None
        with judging(judge):
            releases[release] = _Release(modules, version)
    newest, *older = releases
    assert all(releases[release].others.items() <= releases[newest].others.items() for release in older)
    lines = [f'"{key}": {json.dumps(getattr(releases[newest], key), sort_keys=True)}' for key in ("kinds", "others")]
    lines += [f'"types": {_object(releases[newest].types)}']
    before = releases[newest].types
    for release in older:
        now = releases[release].types
        changed = {
            name: {
                field: now[name].get(field)
                for field in sorted({*before.get(name, {}), *now[name]})
                if before.get(name, {}).get(field) != now[name].get(field)
            }
            for name in sorted(now)
            if before.get(name) != now[name]
        }
        lines.append(f'"{release}": {_object(changed)}')
        before = now
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _object(types: dict[str, Any]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(types[name], separators=(',', ':'))}" for name in sorted(types)) + "\n}"


if __name__ == "__main__":
    TARGET.write_text(written(Path(sys.argv[1])), encoding="utf-8")
