"""Stored objects as the server reads them, and objects as it stores them: older schemas, odd numbers, great depth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apiserver.probe import a_probe, send, stored_probe
from weighbridge.policies.apiserver.decode import read_stored
from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.metadata_decode import stored_numbers


def edition(version: str, *, is_stored: bool, **fields: JSONValue) -> JSONObject:
    spec = {"type": "object", "properties": fields}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {"name": version, "served": True, "storage": is_stored, "schema": schema}


@pytest.fixture(scope="module")
def editions() -> dict[str, ResourceDefinition]:
    """Two versions of a kind, each with a default that the other lacks."""
    newer: dict[str, Any] = {"new": {"type": "string", "default": "n"}, "both": {"type": "string"}}
    older: dict[str, Any] = {"old": {"type": "string", "default": "o"}, "both": {"type": "string"}}
    versions = [edition("v1", is_stored=True, **newer), edition("v1beta1", is_stored=False, **older)]
    names = {"kind": "Edition", "plural": "editions"}
    spec = {"group": "weighbridge.test", "scope": "Namespaced", "names": names, "versions": versions}
    crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "e"}, "spec": spec}
    known = Definitions.from_manifests([crd])
    found = {version: known.get(GroupVersionKind("weighbridge.test", version, "Edition")) for version in ("v1", "v1beta1")}
    return {version: definition for version, definition in found.items() if definition is not None}


def test_only_the_stored_version_fills_in_what_is_read(editions: dict[str, ResourceDefinition]) -> None:
    stored = {"apiVersion": "weighbridge.test/v1", "kind": "Edition", "metadata": {"name": "a"}, "spec": {"both": "b"}}
    assert read_stored(stored, editions["v1"])["spec"] == {"both": "b", "new": "n"}
    assert read_stored(stored, editions["v1beta1"])["spec"] == {"both": "b"}


def test_an_update_in_another_version_counts_its_own_defaults_as_a_change(editions: dict[str, ResourceDefinition]) -> None:
    metadata = {"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "1", "generation": 1}
    stored = {"apiVersion": "weighbridge.test/v1beta1", "kind": "Edition", "metadata": metadata, "spec": {"both": "b"}}
    answer = send(editions["v1beta1"], stored, stored)
    assert answer.object["metadata"]["generation"] == 2
    assert answer.object["spec"] == {"both": "b"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, 1),
        (-0.0, 0),
        (1.5, 1.5),
        (9223372036854774784.0, 9223372036854775000),
        (9223372036854775808.0, 9223372036854775808.0),
        (-9223372036854775808.0, -9223372036854775808.0),
        (1e20, 1e20),
        (1e21, 1e21),
    ],
)
def test_a_whole_float_is_stored_as_the_number_that_its_shortest_digits_are(value: float, expected: float) -> None:
    found = stored_numbers({"a": [value]})["a"][0]
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize("metadata", [5, "x", [None], True])
def test_an_object_with_embedded_metadata_that_is_no_map_cannot_be_read(probe: ResourceDefinition, metadata: JSONValue) -> None:
    stored = stored_probe(embedded={"apiVersion": "v1", "kind": "A", "metadata": metadata})
    answer = send(probe, stored_probe(), stored)
    assert answer.code == 500
    assert answer.message.startswith("spec.embedded.metadata: Invalid value: ")


def test_embedded_metadata_of_a_wrong_type_inside_is_read_without_it(probe: ResourceDefinition) -> None:
    metadata = {"labels": {"a": 1}, "name": "b", "zz": 1}
    stored = stored_probe(embedded={"apiVersion": "v1", "kind": "A", "metadata": metadata})
    assert read_stored(stored, probe)["spec"]["embedded"] == {"apiVersion": "v1", "kind": "A", "metadata": {"name": "b"}}


@pytest.mark.usefixtures("kubernetes_1_36")
def test_a_time_that_cannot_be_read_again_is_no_deletion(probe: ResourceDefinition) -> None:
    stored = stored_probe()
    body = stored | {"metadata": stored["metadata"] | {"deletionTimestamp": "9999-12-31T23:59:59-23:59"}}
    answer = send(probe, body, stored)
    assert (answer.code, "deletionTimestamp" in answer.object["metadata"]) == (200, False)


@pytest.mark.parametrize("levels", [900, 1_500, 9_900])
@pytest.mark.parametrize("in_maps", [True, False], ids=["maps", "lists"])
def test_depth_makes_no_difference(probe: ResourceDefinition, levels: int, in_maps: bool) -> None:
    value: JSONValue = 1
    for _ in range(levels):
        value = {"a": value} if in_maps else [value]
    body = a_probe(spec={"free": {"x": value}})
    created = send(probe, body)
    assert created.code == 201
    assert deep_equal(created.object["spec"]["free"]["x"], value)
    refused = send(probe, a_probe(kind=..., spec={"free": {"x": value}}))
    assert refused.message.startswith("the object provided is unrecognized (must be of type Probe): Object 'Kind' is missing in '{")
