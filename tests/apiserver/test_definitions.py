"""CustomResourceDefinitions: their parts, and the faults of those that can't be used."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD
from weighbridge.policies.apiserver.definitions import DefinitionError, Definitions, read_crd
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_copy

PROBE = GroupVersionKind("weighbridge.test", "v1", "Probe")


def broken(*path: str | int, value: Any = ...) -> JSONObject:
    """The probe's CRD with another value at a path, or without the field."""
    crd: JSONObject = deep_copy(PROBE_CRD)
    holder: Any = crd
    for step in path[:-1]:
        holder = holder[step]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return crd


def issues_of(manifest: JSONValue) -> list[str]:
    with pytest.raises(DefinitionError) as raised:
        read_crd(manifest, document="document 7")
    return [str(issue) for issue in raised.value.issues]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_branches_must_be_schemas_too(keyword: str) -> None:
    where = "spec.versions[0].schema.openAPIV3Schema"
    schema = {"type": "object", keyword: [{"minLength": 1}, {"properties": {"a": {keyword: [{"pattern": 5}]}}}, "text"]}
    issues = issues_of(broken("spec", "versions", 0, "schema", "openAPIV3Schema", value=schema))
    assert len(issues) == 2
    assert any(f"{where}.{keyword}[2]: found 'text', a schema is a map" in issue for issue in issues)
    assert any(f"{where}.{keyword}[1].properties[a].{keyword}[0].pattern: found the number 5, wanted a string" in issue for issue in issues)


def test_served_versions_are_found_by_kind_and_by_resource(definitions: Definitions) -> None:
    found = definitions.get(PROBE)
    assert found is not None
    assert found is definitions.by_resource("weighbridge.test", "v1", "probes")
    assert (found.plural, found.scope, found.status_subresource, found.resource) == (
        "probes", "Namespaced", True, "probes.weighbridge.test",
    )  # fmt: skip
    assert found.scale is not None
    assert found.scale["specReplicasPath"] == ".spec.replicas"


def test_unserved_versions_are_not_found_but_known_to_their_siblings(definitions: Definitions) -> None:
    assert definitions.get(GroupVersionKind("weighbridge.test", "v0", "Probe")) is None
    assert definitions.by_resource("weighbridge.test", "v0", "probes") is None
    assert definitions.versions("weighbridge.test", "Probe") == ["v1", "v1alpha1"]
    assert sorted(definitions.get(PROBE).siblings) == ["v0", "v1", "v1alpha1"]  # type: ignore[union-attr]


def test_kinds_are_listed_in_order(definitions: Definitions) -> None:
    assert [str(gvk) for gvk in definitions.kinds()] == [
        "weighbridge.test/v1 Plain", "weighbridge.test/v1 Probe", "weighbridge.test/v1alpha1 Probe",
    ]  # fmt: skip


def test_nothing_is_known_without_definitions() -> None:
    empty = Definitions()
    assert (empty.get(PROBE), empty.kinds(), empty.versions("weighbridge.test", "Probe"), empty.issues) == (None, [], [], ())


def test_lists_are_taken_apart() -> None:
    known = Definitions.from_manifests([{"apiVersion": "v1", "kind": "List", "items": [PROBE_CRD, PLAIN_CRD]}])
    assert len(known.kinds()) == 3


def test_the_later_definition_of_a_kind_wins() -> None:
    later = broken("spec", "scope", value="Cluster")
    found = Definitions.from_manifests([PROBE_CRD, later]).get(PROBE)
    assert found is not None
    assert not found.namespaced


def test_what_can_not_be_used_is_collected_beside_what_can() -> None:
    known = Definitions.from_manifests([broken("spec", "versions"), PLAIN_CRD, {"kind": "Pod"}, None])
    assert [gvk.kind for gvk in known.kinds()] == ["Plain"]
    assert [str(issue) for issue in known.issues] == [
        "CustomResourceDefinition probes.weighbridge.test: spec.versions: wanted a list of at least one version",
        "document 3: kind: found 'Pod', wanted CustomResourceDefinition",
        "document 4: a CustomResourceDefinition is a map with apiVersion, kind, metadata and spec",
    ]


def test_an_older_api_version_says_what_became_of_it() -> None:
    crd = broken("apiVersion", value="apiextensions.k8s.io/v1beta1")
    assert issues_of(crd) == [
        (
            "CustomResourceDefinition probes.weighbridge.test: apiVersion: found 'apiextensions.k8s.io/v1beta1', "
            "wanted apiextensions.k8s.io/v1; v1beta1 went away with Kubernetes 1.22"
        )
    ]


SCHEMA = ("spec", "versions", 0, "schema", "openAPIV3Schema")
SPEC = (*SCHEMA, "properties", "spec", "properties")
AT_SCHEMA = "spec.versions[0].schema.openAPIV3Schema"


@pytest.mark.parametrize(
    ("crd", "issue"),
    [
        (broken("spec", "group", value=""), "spec.group: is missing or empty; wanted the API group, as in inference.llmkube.dev"),
        (broken("spec", "names"), "spec.names: is missing; wanted a map with kind and plural"),
        (broken("spec", "names", "kind", value=3), "spec.names.kind: is missing or empty; wanted the kind in camel case"),
        (broken("spec", "scope", value="namespaced"), "spec.scope: found 'namespaced', wanted Namespaced or Cluster"),
        (broken("spec", "versions", value=[]), "spec.versions: wanted a list of at least one version"),
        (broken("spec", "versions", 1, value="v1"), "spec.versions[1]: wanted a map with name, served, storage and schema"),
        (broken("spec", "versions", 0, "schema"), f"{AT_SCHEMA}: is missing; every version needs a structural schema of type object"),
        (broken(*SCHEMA, "type", value="array"), f"{AT_SCHEMA}.type: found 'array', wanted object"),
        (
            broken("spec", "versions", 0, "subresources", "scale", value={}),
            "spec.versions[0].subresources.scale.specReplicasPath: is missing or empty; wanted a JSON path, as in .spec.replicas",
        ),
        (broken(*SCHEMA, "properties", value=[]), f"{AT_SCHEMA}.properties: found a list, wanted a map"),
        (broken(*SPEC, "text", value=None), f"{AT_SCHEMA}.properties[spec].properties[text]: found null, a schema is a map"),
        (
            broken(*SPEC, "text", "maxLength", value="10"),
            f"{AT_SCHEMA}.properties[spec].properties[text].maxLength: found '10', wanted an integer",
        ),
        (
            broken(*SPEC, "list", "items", "required", value="name"),
            f"{AT_SCHEMA}.properties[spec].properties[list].items.required: found 'name', wanted a list of strings",
        ),
        (
            broken(*SPEC, "gone", "x-kubernetes-validations", 0, "rule", value=True),
            f"{AT_SCHEMA}.properties[spec].properties[gone].x-kubernetes-validations[0].rule: found true, wanted a string",
        ),
        (
            broken(*SPEC, "mode", value={"$ref": "#/definitions/Mode"}),
            (
                f"{AT_SCHEMA}.properties[spec].properties[mode].$ref: is not supported in a CustomResourceDefinition; "
                "write the schema out where it is used"
            ),
        ),
        (
            broken(*SPEC, "ratio", value={"type": "float"}),
            (
                f"{AT_SCHEMA}.properties[spec].properties[ratio].type: found 'float', "
                "wanted one of array, boolean, integer, number, object, string"
            ),
        ),
    ],
    ids=lambda value: value.split(":")[0].rpartition(".")[2] if isinstance(value, str) else "",
)
def test_each_mistake_is_named_with_its_field_and_what_would_be_right(crd: JSONObject, issue: str) -> None:
    assert f"CustomResourceDefinition probes.weighbridge.test: {issue}" in issues_of(crd)


def test_trusted_schemas_are_not_walked_through() -> None:
    crd = broken(*SPEC, "text", "maxLength", value="10")
    assert Definitions.from_manifests([crd], trusted=True).get(PROBE) is not None


@pytest.mark.parametrize("value", [None, 3, "x", [], {"a": []}, [[]], True, float("nan"), 10**400])
@pytest.mark.parametrize(
    "path",
    [("kind",), ("metadata",), ("spec",), ("spec", "names"), ("spec", "versions"), ("spec", "versions", 0), ("spec", "versions", 0, "name"),
     ("spec", "versions", 0, "schema"), ("spec", "versions", 0, "subresources"), ("spec", "versions", 0, "subresources", "scale"),
     ("spec", "versions", 0, "subresources", "status"), ("spec", "versions", 0, "served"), ("spec", "conversion"), SCHEMA, SPEC,
     (*SPEC, "text", "maxLength"), (*SPEC, "replicas", "minimum")],
    ids=lambda path: str(path[-1]),
)  # fmt: skip
def test_no_shape_of_a_document_breaks_the_reading(path: tuple[str | int, ...], value: JSONValue) -> None:
    known = Definitions.from_manifests([broken(*path, value=value)])
    for gvk in known.kinds():
        found = known.get(gvk)
        assert found is not None
        found.schema.validate({})


def test_a_resource_that_preserves_unknown_fields_is_not_pruned() -> None:
    found = Definitions.from_manifests([broken("spec", "preserveUnknownFields", value=True)]).get(PROBE)
    assert found is not None
    assert found.preserve_unknown_fields
