"""Creations: what the server sets, ignores and refuses."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import a_plain, a_probe, named, request, send
from weighbridge.policies.apiserver.admission import validate
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.field_errors import ErrorType
from weighbridge.policies.ground.objects import FieldValidation, JSONObject
from weighbridge.policies.schema.go_values import deep_copy

NOT_CHECKED = (
    "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; "
    "correct the existing errors to complete validation"
)
NAME_REQUIRED = "metadata.name: Required value: name or generateName is required"
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)


def test_an_object_is_stored_defaulted_in_its_first_generation(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec={"text": "x"}))
    stored = a_probe(metadata={"name": "a", "namespace": "default", "generation": 1}, spec={"text": "x", "mode": "auto"})
    assert (answer.code, answer.object, answer.warnings) == (201, stored, [])


def test_what_only_the_server_can_set_is_ignored(probe: ResourceDefinition) -> None:
    answer = send(
        probe,
        named(
            name="a",
            uid="x",
            creationTimestamp="2020-01-01T00:00:00Z",
            deletionTimestamp="2020-01-01T00:00:00Z",
            deletionGracePeriodSeconds=4,
            generation=-7,
            selfLink="/x",
            managedFields=[{"manager": "q", "operation": "Bogus"}],
        ),
    )
    assert answer.object["metadata"] == {"name": "a", "namespace": "default", "generation": 1}


def test_a_status_is_dropped_unvalidated_where_it_has_an_endpoint(probe: ResourceDefinition, plain: ResourceDefinition) -> None:
    assert "status" not in send(probe, a_probe(status={"phase": 3})).object
    refused = send(plain, a_plain(status={"a": 3}))
    assert 'status.a: Invalid value: "integer": status.a in body must be of type string: "integer"' in refused.message


def test_whole_floats_are_stored_as_integers(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec={"free": {"a": 1.0, "b": 1e20, "c": -0.0, "d": 1.5, "e": [2.0]}}))
    stored = answer.object["spec"]["free"]
    assert stored == {"a": 1, "b": 1e20, "c": 0, "d": 1.5, "e": [2]}
    assert [type(stored[key]) for key in "abcd"] == [int, float, int, float]


def test_invalid_objects_are_answered_with_all_errors_and_causes(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec={"replicas": -1, "mode": "x"}))
    assert answer.code == 422
    assert answer.message.startswith('Probe.weighbridge.test "a" is invalid: [')
    assert sorted((cause["reason"], cause["field"]) for cause in answer.causes) == [
        ("FieldValueInvalid", ".spec.replicas"),
        ("FieldValueInvalid", "<nil>"),
        ("FieldValueInvalid", "spec.replicas"),
        ("FieldValueNotSupported", "spec.mode"),
    ]
    assert answer.message.endswith(f"{NOT_CHECKED}]")


def test_only_resources_with_rules_say_that_rules_were_not_checked(probe: ResourceDefinition, plain: ResourceDefinition) -> None:
    assert send(probe, a_probe(metadata=None)).message == f'Probe.weighbridge.test "" is invalid: [{NAME_REQUIRED}, {NOT_CHECKED}]'
    assert send(plain, a_plain(metadata=None)).message == f'Plain.weighbridge.test "" is invalid: {NAME_REQUIRED}'


def test_an_error_that_does_not_block_lets_the_rules_speak(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec={"replicas": -1, "gone": "bad"}))
    assert 'spec.gone: Invalid value: "bad": bad is bad' in answer.message
    assert NOT_CHECKED not in answer.message


def test_rules_see_the_name_that_will_be_generated(probe: ResourceDefinition) -> None:
    assert send(probe, named(generateName="fourteen-chars")).code == 201
    refused = send(probe, named(generateName="fifteen-chars-x"))
    assert refused.message == 'Probe.weighbridge.test "fifteen-chars-xxxxxx" is invalid: <nil>: Invalid value: name too long'


def test_a_generated_name_is_not_made_up(probe: ResourceDefinition) -> None:
    answer = send(probe, named(generateName="abc-"))
    assert answer.object["metadata"] == {"generateName": "abc-", "namespace": "default", "generation": 1}


@pytest.mark.parametrize(
    ("generate_name", "fields"),
    [
        ("Bad_", ["metadata.generateName", "metadata.name"]),
        ("a.", ["metadata.generateName"]),
        (".-", ["metadata.name"]),
        ("a" * 254, ["metadata.generateName"]),
        ("a" * 253, []),
    ],
    ids=["both", "a-dot-at-the-end", "only-what-comes-of-it", "too-long", "long"],
)
def test_generate_name_and_what_comes_of_it_are_both_judged(plain: ResourceDefinition, generate_name: str, fields: list[str]) -> None:
    answer = send(plain, a_plain(metadata={"generateName": generate_name}))
    assert [cause["field"] for cause in answer.causes] == fields


def test_a_long_generate_name_is_cut_before_the_suffix(plain: ResourceDefinition) -> None:
    answer = send(plain, a_plain(metadata={"generateName": "A" * 100}))
    assert f'Plain.weighbridge.test "{"A" * 58}xxxxx" is invalid' in answer.message


def test_the_name_must_be_a_subdomain(probe: ResourceDefinition) -> None:
    answer = send(probe, named(name="A_b"))
    assert answer.message == f'Probe.weighbridge.test "A_b" is invalid: metadata.name: Invalid value: "A_b": {SUBDOMAIN}'


@pytest.mark.parametrize(
    ("version", "dry_run", "code"),
    [("1", True, 201), ("1", False, 500), ("0", False, 201), ("abc", False, 201), ("9" * 20, False, 201)],
)
def test_a_resource_version_refuses_a_real_creation_only(probe: ResourceDefinition, version: str, dry_run: bool, code: int) -> None:
    answer = send(probe, named(name="a", resourceVersion=version), dry_run=dry_run)
    assert answer.code == code
    if code == 500:
        assert answer.message == "resourceVersion should not be set on objects to be created"
    else:
        assert "resourceVersion" not in answer.object["metadata"]


def owner(kind: str, **more: object) -> JSONObject:
    return {"apiVersion": "v1", "kind": kind, "name": "n", "uid": "u", **more}


def test_equal_owner_references_are_taken_out_with_a_warning(probe: ResourceDefinition) -> None:
    answer = send(probe, named(name="a", ownerReferences=[owner("A"), owner("A"), owner("A", controller=True), owner("A")]))
    assert answer.object["metadata"]["ownerReferences"] == [owner("A"), owner("A", controller=True)]
    assert answer.warnings == [
        (
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, "
            "and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, u"
        )
    ]


def test_owner_references_that_a_webhook_doubles_are_told_apart(probe: ResourceDefinition) -> None:
    sent = named(name="a", ownerReferences=[owner("A")])
    answer = send(probe, sent)
    assert answer.warnings == []
    mutated = deep_copy(answer.object)
    mutated["metadata"]["ownerReferences"].append(owner("A"))
    validated = validate(request(probe, sent), mutated, probe)
    assert [warning.partition(";")[0] for warning in validated.warnings] == [
        ".metadata.ownerReferences contains duplicate entries after mutating admission happens"
    ]
    assert isinstance(validated.object, dict)
    assert validated.object["metadata"]["ownerReferences"] == [owner("A")]


def test_an_event_is_no_owner(probe: ResourceDefinition) -> None:
    answer = send(probe, named(name="a", ownerReferences=[owner("Event")]))
    assert answer.message == (
        'Probe.weighbridge.test "a" is invalid: metadata.ownerReferences[0]: Invalid value: '
        '{"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner'
    )


def test_finalizers_without_a_domain_are_warned_of_once_each(probe: ResourceDefinition) -> None:
    answer = send(probe, named(name="a", finalizers=["x", "y.z", "b", "x", "kubernetes", "good.io/one"]))
    advice = "prefer a domain-qualified finalizer name{} to avoid accidental conflicts with other finalizer writers"
    assert answer.warnings == [
        f'metadata.finalizers: "b": {advice.format("")}',
        f'metadata.finalizers: "x": {advice.format("")}',
        f'metadata.finalizers: "y.z": {advice.format(" including a path (/)")}',
    ]


def test_refused_objects_get_no_advice_on_finalizers(probe: ResourceDefinition) -> None:
    assert send(probe, named(name="A", finalizers=["x"])).warnings == []


def test_embedded_objects_are_validated(probe: ResourceDefinition) -> None:
    templates = {"a.b": {"apiVersion": "v1", "kind": "", "metadata": {"finalizers": ["a b"]}}}
    answer = send(probe, a_probe(spec={"templates": templates, "embedded": {"kind": "A b"}}))
    assert [cause["field"] for cause in answer.causes] == [
        "spec.embedded.apiVersion",
        "spec.embedded.kind",
        "spec.templates[a.b].kind",
        "spec.templates[a.b].metadata.finalizers",
        "<nil>",
    ]


def test_a_deprecated_version_is_warned_of_and_stored_as_another(old_probe: ResourceDefinition) -> None:
    body = a_probe(apiVersion="weighbridge.test/v1alpha1", spec={"old": "x", "text": "y"})
    answer = send(old_probe, body, validation=FieldValidation.WARN)
    assert answer.warnings == ["weighbridge.test/v1alpha1 Probe is deprecated; use weighbridge.test/v1 Probe"]
    assert answer.object["spec"] == {"text": "y"}, "the stored version doesn't know the other field"


def test_errors_carry_their_types(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec=...))
    assert answer.validated is not None
    assert [error.type for error in answer.validated.errors] == [ErrorType.REQUIRED, ErrorType.INVALID]


def test_a_generated_name_that_is_cut_within_a_character_shows_its_bytes(probe: ResourceDefinition) -> None:
    answer = send(probe, named(generateName="a" + "é" * 40))
    assert answer.message.startswith(f'Probe.weighbridge.test "a{"é" * 28}\\xc3xxxxx" is invalid: ')
