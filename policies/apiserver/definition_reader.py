"""Checks a document that should be a CustomResourceDefinition: whether it has all that is used later, with the right types.

Source: apiextensions.k8s.io/v1 CustomResourceDefinition, https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.schema_shape import shape_problems
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

_API_VERSION: Final = "apiextensions.k8s.io/v1"
#: The kind of a definition.
KIND: Final = "CustomResourceDefinition"
_SCOPES: Final = ("Namespaced", "Cluster")


@dataclass(frozen=True, slots=True)
class DefinitionIssue:
    """Why a document isn't a usable CustomResourceDefinition: the document, the field, what is wrong, and what would be right."""

    document: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.document}: {self.field}: {self.message}" if self.field else f"{self.document}: {self.message}"


class DefinitionReader:
    """Checks one document and collects what is wrong with it."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.issues: list[DefinitionIssue] = []

    def complain(self, field: str, message: str) -> None:
        """Collect what is wrong with a field."""
        self.issues.append(DefinitionIssue(self.document, field, message))

    def envelope(self, manifest: JSONValue) -> JSONObject | None:
        """The spec of a v1 CRD, or `None` if the document isn't one."""
        if not isinstance(manifest, dict):
            self.complain("", f"a {KIND} is a map with apiVersion, kind, metadata and spec")
            return None
        api_version, kind = manifest.get("apiVersion"), manifest.get("kind")
        if kind != KIND:
            self.complain("kind", f"found {kind!r}, wanted {KIND}")
        elif api_version != _API_VERSION:
            older = "; v1beta1 went away with Kubernetes 1.22" if api_version == "apiextensions.k8s.io/v1beta1" else ""
            self.complain("apiVersion", f"found {api_version!r}, wanted {_API_VERSION}{older}")
        elif not isinstance(manifest.get("spec"), dict):
            self.complain("spec", "is missing; wanted a map with group, names, scope and versions")
        else:
            return dict(manifest["spec"])
        return None

    def spec(self, spec: JSONObject, *, trusted: bool) -> None:
        """Check the spec of a CRD. A `trusted` one comes from a cache or a cluster, so its schemas have been checked before."""
        self.text(spec.get("group"), "spec.group", "the API group, as in inference.llmkube.dev")
        names = spec.get("names")
        if isinstance(names, dict):
            self.text(names.get("kind"), "spec.names.kind", "the kind in camel case")
            self.text(names.get("plural"), "spec.names.plural", "the resource's name in URLs")
        else:
            self.complain("spec.names", "is missing; wanted a map with kind and plural")
        if spec.get("scope") not in _SCOPES:
            self.complain("spec.scope", f"found {spec.get('scope')!r}, wanted {' or '.join(_SCOPES)}")
        versions = spec.get("versions")
        if not isinstance(versions, list) or not versions:
            self.complain("spec.versions", "wanted a list of at least one version")
            return
        for index, version in enumerate(versions):
            self.version(version, f"spec.versions[{index}]", trusted=trusted)

    def text(self, value: JSONValue, field: str, wanted: str) -> None:
        """Check a field that must be a text."""
        if not isinstance(value, str) or not value:
            self.complain(field, f"is missing or empty; wanted {wanted}")

    def version(self, version: JSONValue, field: str, *, trusted: bool) -> None:
        """Check one of the versions."""
        if not isinstance(version, dict):
            self.complain(field, "wanted a map with name, served, storage and schema")
            return
        self.text(version.get("name"), f"{field}.name", "the version's name, as in v1alpha1")
        self.subresources(version.get("subresources"), f"{field}.subresources")
        holder = version.get("schema")
        schema = holder.get("openAPIV3Schema") if isinstance(holder, dict) else None
        where = f"{field}.schema.openAPIV3Schema"
        if not isinstance(schema, dict):
            self.complain(where, "is missing; every version needs a structural schema of type object")
            return
        if schema.get("type") != "object":
            self.complain(f"{where}.type", f"found {schema.get('type')!r}, wanted object")
        if not trusted:
            for place, message in shape_problems(schema, where):
                self.complain(place, message)

    def subresources(self, subresources: JSONValue, field: str) -> None:
        """Check the subresources of a version."""
        if subresources is None:
            return
        if not isinstance(subresources, dict):
            self.complain(field, "wanted a map with status and scale")
            return
        scale = subresources.get("scale")
        if scale is None:
            return
        if not isinstance(scale, dict):
            self.complain(f"{field}.scale", "wanted a map with specReplicasPath and statusReplicasPath")
            return
        for path in ("specReplicasPath", "statusReplicasPath"):
            self.text(scale.get(path), f"{field}.scale.{path}", "a JSON path, as in .spec.replicas")
        if not isinstance(scale.get("labelSelectorPath"), (str, type(None))):
            self.complain(f"{field}.scale.labelSelectorPath", "wanted a JSON path, as in .status.selector")
