"""Writes to /status and /scale."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import Answer, send, stored_probe
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue

UNDECODABLE = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"'


def write_status(probe: ResourceDefinition, status: JSONValue, **parts: JSONValue) -> Answer:
    stored = stored_probe(replicas=1) | {"status": {"phase": "Down"}}
    return send(probe, stored | {"status": status} | parts, stored, subresource="status")


def test_a_status_write_changes_nothing_but_the_status(probe: ResourceDefinition) -> None:
    metadata = stored_probe()["metadata"] | {"labels": {"a b": "c"}, "finalizers": ["x"]}
    answer = write_status(probe, {"phase": "Up"}, spec="nonsense", metadata=metadata)
    assert (answer.code, answer.warnings) == (200, [])
    assert answer.object == stored_probe(replicas=1) | {"status": {"phase": "Up"}}


@pytest.mark.parametrize("status", [None, {}], ids=["null", "empty"])
def test_a_status_can_be_taken_away(probe: ResourceDefinition, status: JSONValue) -> None:
    assert (write_status(probe, status).object.get("status") or {}) == {}


def test_only_the_schema_of_the_status_is_asked(probe: ResourceDefinition) -> None:
    answer = write_status(probe, {"phase": "x", "lastUsed": True, "replicas": -1, "selector": "s"})
    assert sorted(f"{cause['field']}: {cause['message']}" for cause in answer.causes) == [
        ".status.replicas: Invalid value: -1: should be a non-negative integer",
        (
            "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; "
            "correct the existing errors to complete validation"
        ),
        'status.lastUsed: Invalid value: "": lastUsed in body must be of type date-time: ""',
        'status.phase: Unsupported value: "x": supported values: "Up", "Down"',
    ]


def test_a_status_that_is_no_map_fails_at_every_path_into_it(probe: ResourceDefinition) -> None:
    answer = write_status(probe, "x")
    accessor = "accessor error: x is of the type string, expected map[string]interface{}"
    assert sorted(f"{cause['field']}: {cause['message']}" for cause in answer.causes)[:2] == [
        f".status.replicas: Invalid value: 0: .status.replicas {accessor}",
        f'.status.selector: Invalid value: "": .status.selector {accessor}',
    ]
    assert 'status: Invalid value: "string":  in body must be of type object: "string"' in answer.message


def test_unknown_fields_of_the_spec_count_in_a_status_write(probe: ResourceDefinition) -> None:
    answer = write_status(probe, {"zz": 1}, spec={"yy": 1})
    assert answer.message.endswith('strict decoding error: unknown field "spec.yy", unknown field "status.zz"')


def test_every_rule_is_asked_of_a_status_write(probe: ResourceDefinition) -> None:
    stored = stored_probe(gone="bad")
    answer = send(probe, stored | {"status": {"phase": "Up"}}, stored, subresource="status")
    assert (answer.code, answer.warnings) == (200, ['spec.gone: Invalid value: "bad": bad is bad'])


def test_a_status_write_under_another_kind_is_judged_and_named_by_it(probe: ResourceDefinition) -> None:
    assert write_status(probe, {"phase": "Up"}, kind="Pod").code == 200
    assert write_status(probe, {"phase": "x"}, kind="Pod").message.startswith('Pod.weighbridge.test "a" is invalid: [status.phase:')


def test_a_status_write_needs_the_stored_version(probe: ResourceDefinition) -> None:
    metadata = stored_probe()["metadata"] | {"resourceVersion": ""}
    assert write_status(probe, {}, metadata=metadata).message.startswith('probes.weighbridge.test "a" is invalid: metadata.resourceVersion')


def write_scale(probe: ResourceDefinition, spec: JSONValue = None, **parts: JSONValue) -> Answer:
    scale: JSONObject = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": spec} | parts
    stored = stored_probe(replicas=1)
    validation = FieldValidation.STRICT
    body = {key: value for key, value in scale.items() if value is not ...}
    return send(probe, body, stored, subresource="scale", validation=validation)


@pytest.mark.parametrize(
    ("spec", "replicas"),
    [({"replicas": 5}, 5), ({}, 0), (None, 0), ({"replicas": None}, 0)],
    ids=["a-number", "none", "no-spec", "null"],
)
def test_a_scale_sets_the_replicas(probe: ResourceDefinition, spec: JSONValue, replicas: int) -> None:
    answer = write_scale(probe, spec)
    assert (answer.code, answer.object["spec"]["replicas"], answer.object["metadata"]["generation"]) == (200, replicas, 4)


def test_a_scaled_object_is_validated_as_any_other(probe: ResourceDefinition) -> None:
    answer = write_scale(probe, {"replicas": -5})
    assert answer.message == (
        'Probe.weighbridge.test "a" is invalid: [spec.replicas: Invalid value: -5: spec.replicas in body should be greater than or equal '
        "to 0, .spec.replicas: Invalid value: -5: should be a non-negative integer]"
    )


@pytest.mark.parametrize(
    "parts",
    [
        {"spec": {"replicas": "5"}}, {"spec": {"replicas": 3_000_000_000}}, {"spec": {"replicas": 1.5}}, {"spec": {"zz": 1}},
        {"spec": []}, {"kind": "Probe"}, {"kind": []}, {"apiVersion": "autoscaling/v9"}, {"zz": 1}, {"metadata": {"labels": 3}},
        {"status": {"selector": 3}},
    ],
    ids=str,
)  # fmt: skip
def test_any_body_that_is_no_scale_gets_the_same_answer(probe: ResourceDefinition, parts: JSONObject) -> None:
    answer = write_scale(probe, **({"spec": {"replicas": 1}} | parts))
    assert (answer.code, answer.message) == (400, UNDECODABLE)


def test_a_scale_needs_no_type(probe: ResourceDefinition) -> None:
    assert write_scale(probe, {"replicas": 2}, apiVersion=..., kind=...).code == 200


@pytest.mark.parametrize(
    ("metadata", "code", "begins"),
    [
        ({}, 400, "the name of the object (a based on URL) was undeterminable"),
        ({"name": "b"}, 400, "the name of the object (b) does not match the name on the URL (a)"),
        ({"name": "a", "namespace": "x"}, 400, "the namespace of the provided object does not match"),
        ({"name": "a", "resourceVersion": "1"}, 409, 'Operation cannot be fulfilled on probes.weighbridge.test "a": the object has been'),
        ({"name": "a", "uid": "x"}, 409, 'Operation cannot be fulfilled on probes.weighbridge.test "a": StorageError'),
        ({"name": "a", "resourceVersion": "42"}, 200, ""),
    ],
    ids=["no-name", "another-name", "another-namespace", "another-version", "another-uid", "the-version"],
)
def test_a_scale_is_for_one_object_in_one_version(probe: ResourceDefinition, metadata: JSONObject, code: int, begins: str) -> None:
    answer = write_scale(probe, {"replicas": 2}, metadata=metadata)
    assert answer.code == code
    assert answer.message.startswith(begins)


def test_without_the_subresource_there_is_no_scale(plain: ResourceDefinition) -> None:
    scale = {"metadata": {"name": "a"}, "spec": {"replicas": 1}}
    assert send(plain, scale, {"metadata": {"name": "a"}}, subresource="scale").code == 404


def test_the_servers_own_mark_for_no_replicas_cannot_be_scaled_to(probe: ResourceDefinition) -> None:
    answer = write_scale(probe, {"replicas": -(2**31)})
    assert (answer.code, answer.message) == (400, 'the spec replicas field ".spec.replicas" cannot be empty')


def test_a_scale_that_is_null_has_no_name(probe: ResourceDefinition) -> None:
    answer = send(probe, None, stored_probe(replicas=1), subresource="scale")
    assert answer.message == "the name of the object (a based on URL) was undeterminable: name must be provided"


def test_what_a_scale_does_not_know_is_a_warning_or_makes_it_undecodable(probe: ResourceDefinition) -> None:
    body = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a", "zz": 1}, "spec": {"zz": 1}, "yy": 1}
    warned = send(probe, body, stored_probe(), subresource="scale", validation=FieldValidation.WARN, duplicates=[("kind",)])
    assert warned.warnings == ['duplicate field "kind"', *(f'unknown field "{path}"' for path in ("metadata.zz", "spec.zz", "yy"))]
    parts: list[JSONObject] = [{"metadata": {"name": "a"}, "spec": {}}, {"spec": {}, "yy": None}]
    for part in parts:
        refused = send(probe, body | part, stored_probe(), subresource="scale", validation=FieldValidation.STRICT)
        assert refused.message == UNDECODABLE
    ignored = send(probe, body, stored_probe(), subresource="scale", validation=FieldValidation.IGNORE)
    assert (ignored.code, ignored.warnings) == (200, [])


def test_replicas_that_were_stored_as_something_else_cannot_be_scaled(probe: ResourceDefinition) -> None:
    body = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 1}}
    answer = send(probe, body, stored_probe(replicas="two"), subresource="scale")
    assert (answer.code, answer.message) == (500, ".spec.replicas accessor error: two is of the type string, expected int64")
