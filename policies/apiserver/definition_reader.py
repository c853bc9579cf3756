"""Checks a document that should be a CustomResourceDefinition: whether it has all that is used later, with the right types.

Source: apiextensions.k8s.io/v1 CustomResourceDefinition, https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.schema_shape import shape_problems
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass

_API_VERSION: Final = "apiextensions.k8s.io/v1"
_OLDER_VERSION: Final = "apiextensions.k8s.io/v1beta1"
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
            self.complain("", wordings.not_a_definition(KIND))
            return None
        api_version, kind = manifest.get("apiVersion"), manifest.get("kind")
        if kind != KIND:
            self.complain("kind", wordings.unwanted(repr(kind), KIND))
        elif api_version != _API_VERSION:
            unwanted = wordings.outdated if api_version == _OLDER_VERSION else wordings.unwanted
            self.complain("apiVersion", unwanted(repr(api_version), _API_VERSION))
        elif not isinstance(manifest.get("spec"), dict):
            self.complain("spec", wordings.NO_SPEC)
        else:
            return dict(manifest["spec"])
        return None

    def spec(self, spec: JSONObject, *, trusted: bool) -> None:
        """Check the spec of a CRD. A `trusted` one comes from a cache or a cluster, so its schemas have been checked before."""
        self.text(spec.get("group"), "spec.group", wordings.A_GROUP)
        names = spec.get("names")
        if isinstance(names, dict):
            self.text(names.get("kind"), "spec.names.kind", wordings.A_KIND)
            self.text(names.get("plural"), "spec.names.plural", wordings.A_PLURAL)
        else:
            self.complain("spec.names", wordings.NO_NAMES)
        if spec.get("scope") not in _SCOPES:
            self.complain("spec.scope", wordings.unwanted(repr(spec.get("scope")), " or ".join(_SCOPES)))
        versions = spec.get("versions")
        if not isinstance(versions, list) or not versions:
            self.complain("spec.versions", wordings.NO_VERSIONS)
            return
        for index, version in enumerate(versions):
            self.version(version, f"spec.versions[{index}]", trusted=trusted)

    def text(self, value: JSONValue, field: str, wanted: str) -> None:
        """Check a field that must be a text."""
        if not isinstance(value, str) or not value:
            self.complain(field, wordings.no_text(wanted))

    def version(self, version: JSONValue, field: str, *, trusted: bool) -> None:
        """Check one of the versions."""
        if not isinstance(version, dict):
            self.complain(field, wordings.NOT_A_VERSION)
            return
        self.text(version.get("name"), f"{field}.name", wordings.A_VERSION)
        self.subresources(version.get("subresources"), f"{field}.subresources")
        holder = version.get("schema")
        schema = holder.get("openAPIV3Schema") if isinstance(holder, dict) else None
        where = f"{field}.schema.openAPIV3Schema"
        if not isinstance(schema, dict):
            self.complain(where, wordings.NO_SCHEMA)
            return
        if schema.get("type") != "object":
            self.complain(f"{where}.type", wordings.unwanted(repr(schema.get("type")), "object"))
        if not trusted:
            for place, message in shape_problems(schema, where):
                self.complain(place, message)

    def subresources(self, subresources: JSONValue, field: str) -> None:
        """Check the subresources of a version."""
        if subresources is None:
            return
        if not isinstance(subresources, dict):
            self.complain(field, wordings.NOT_SUBRESOURCES)
            return
        scale = subresources.get("scale")
        if scale is None:
            return
        if not isinstance(scale, dict):
            self.complain(f"{field}.scale", wordings.NO_SCALE_PATHS)
            return
        for path in ("specReplicasPath", "statusReplicasPath"):
            self.text(scale.get(path), f"{field}.scale.{path}", wordings.A_REPLICAS_PATH)
        if not isinstance(scale.get("labelSelectorPath"), (str, type(None))):
            self.complain(f"{field}.scale.labelSelectorPath", wordings.NO_SELECTOR_PATH)
