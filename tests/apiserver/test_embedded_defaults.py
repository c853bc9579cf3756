"""Defaults in and of embedded objects, and rules over objects that can't be decoded, on the real kube-apiserver and on ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.apiserver.probe import send
from tests.apiserver.server import GROUP, Server, ours, theirs
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, JSONValue

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
POD = {"apiVersion": "v1", "kind": "Pod"}


def embedded(**schema: Any) -> JSONObject:
    return {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True} | schema


def a_crd(kind: str, schema: JSONObject) -> JSONObject:
    plural = f"{kind.lower()}s"
    names = {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"} | schema}}
    spec = {"group": "weighbridge.test", "scope": "Namespaced", "names": names, "versions": [version]}
    metadata = {"name": f"{plural}.weighbridge.test"}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": metadata, "spec": spec}


def with_spec(**properties: JSONObject) -> JSONObject:
    return {"properties": {"spec": {"type": "object", "properties": properties}}}


def definition_of(crd: JSONObject) -> ResourceDefinition:
    definition = Definitions.from_manifests([crd]).get(GroupVersionKind("weighbridge.test", "v1", crd["spec"]["names"]["kind"]))
    assert definition is not None
    return definition


@pytest.mark.control_plane
@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (with_spec(pod=embedded(default=POD | {"metadata": {"labels": {"a": 5}}})), "Go struct field ObjectMeta.labels of type string"),
        (with_spec(pod=embedded(default=POD | {"metadata": 5})), "cannot unmarshal number into Go value of type v1.ObjectMeta"),
        (with_spec(pod=embedded(default={"apiVersion": "v1"})), ".default.kind: Required value"),
        ({"properties": {"kind": {"type": "string", "default": "X"}}}, "must not be set in top-level kind"),
        ({"properties": {"apiVersion": {"type": "string", "default": "X"}}}, "must not be set in top-level apiVersion"),
        ({"properties": {"metadata": {"type": "object", "default": {"name": "x"}}}}, "must not be set in top-level metadata"),
    ],
)
def test_defaults_that_would_have_to_be_coerced_are_refused_with_their_crd(server: Server, schema: JSONObject, message: str) -> None:
    code, answer, _ = server.send("POST", f"{CRDS}?dryRun=All", a_crd("Refused", schema))
    assert code == 422
    assert message in answer["message"]


METADATA: JSONObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "x"},
        "generation": {"type": "integer", "default": 0},
        "annotations": {"type": "object", "default": {"a": "b"}, "additionalProperties": {"type": "string"}},
        "creationTimestamp": {"type": "string", "default": "2026-01-01T00:00:00.5Z"},
        "odd": {"type": "string", "default": "q"},
    },
}
DEFAULTED: JSONObject = a_crd(
    "Defaulted",
    with_spec(
        unknown=embedded(default=POD | {"metadata": {"zz": 1, "name": "n"}}),
        zero=embedded(default=POD | {"metadata": {"creationTimestamp": None, "labels": {}, "finalizers": [], "generation": 0}}),
        listed={"type": "array", "default": [POD | {"metadata": {"zz": 1}}], "items": embedded()},
        typed=embedded(properties={"kind": {"type": "string", "default": "Pod"}, "apiVersion": {"type": "string", "default": "v1"}}),
        inside=embedded(properties={"metadata": METADATA}),
    ),
)
SPECS: list[JSONValue] = [
    {}, {"unknown": {}}, {"zero": None}, {"listed": [{}]}, {"typed": {}}, {"typed": None}, {"inside": POD}, {"inside": {"metadata": {}}},
    {"inside": POD | {"metadata": {}}}, {"inside": POD | {"metadata": {"creationTimestamp": None, "annotations": {"a": None}}}},
]  # fmt: skip


def test_defaults_inside_embedded_metadata_go_through_its_decoding() -> None:
    body = {"apiVersion": "weighbridge.test/v1", "kind": "Defaulted", "metadata": {"name": "a"}, "spec": {"inside": POD | {"metadata": {}}}}
    stored = send(definition_of(DEFAULTED), body).object["spec"]
    assert stored["inside"]["metadata"] == {"name": "x", "annotations": {"a": "b"}, "creationTimestamp": "2026-01-01T00:00:00Z"}
    assert stored["unknown"]["metadata"] == {"name": "n"}


@pytest.mark.control_plane
def test_defaults_of_embedded_objects_are_the_same(control_plane: ControlPlane, server: Server, tmp_path: Path) -> None:
    path = tmp_path / "crd.yaml"
    path.write_text(json.dumps(DEFAULTED))
    (name,) = install_crds(control_plane, path)
    try:
        for spec in SPECS:
            body = {"apiVersion": "weighbridge.test/v1", "kind": "Defaulted", "metadata": {"name": "a"}, "spec": spec}
            for validation in FieldValidation:
                answer = server.send("POST", f"{GROUP}/namespaces/default/defaulteds?dryRun=All&fieldValidation={validation}", body)
                assert ours(send(definition_of(DEFAULTED), body, validation=validation)) == theirs(answer), spec
    finally:
        server.send("DELETE", f"{CRDS}/{name}")


RIG = a_crd(
    "Rig",
    with_spec(
        hardware={
            "type": "object",
            "properties": {"a": {"type": "string"}, "n": {"type": "integer"}, "m": {"type": "string"}},
            "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "hardware is immutable"}],
        }
    ),
)
UNDECODABLE = 'Invalid value: "object": invalid data, expected {}, got {} evaluating rule: hardware is immutable'


@pytest.mark.parametrize(
    ("before", "change", "possible"),
    [
        ({"a": "x", "n": {"q": 1}}, {"a": "y"}, [UNDECODABLE.format("int", "map[string]interface {}")]),
        ({"a": "x", "n": "s"}, {"a": "y"}, [UNDECODABLE.format("int", "string")]),
        ({"a": "x", "n": 1.5}, {"a": "y"}, [UNDECODABLE.format("int", "float64")]),
        ({"a": "x", "n": "s", "m": 5}, {"a": "y"}, [UNDECODABLE.format("int", "string"), UNDECODABLE.format("string", "int64")]),
    ],
)
def test_of_an_object_that_differs_and_cannot_be_decoded_one_of_the_two_is_said(
    before: JSONObject, change: JSONObject, possible: list[str]
) -> None:
    metadata = {"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "1", "generation": 1}
    stored = {"apiVersion": "weighbridge.test/v1", "kind": "Rig", "metadata": metadata, "spec": {"hardware": before}}
    body = stored | {"spec": {"hardware": before | change}}
    answer = send(definition_of(RIG), body, stored, validation=FieldValidation.WARN)
    (cause,) = answer.causes
    assert cause["field"] == "spec.hardware"
    assert cause["message"] in ["Invalid value: hardware is immutable", *possible]
