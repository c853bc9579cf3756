"""From a body to the object that a mutating webhook would see."""

from __future__ import annotations

import pytest

from tests.apiserver.probe import a_plain, a_probe, named, request, send, stored_probe
from weighbridge.policies.apiserver.admission import decode, redefault
from weighbridge.policies.apiserver.decode import UNDECODABLE
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.unknown_fields import DUPLICATE_FIELD, UNKNOWN_FIELD
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import FieldValidation, JSONValue, Operation, Path
from weighbridge.policies.ground.request import Request

STRICT = 'Probe in version "v1" cannot be handled as a Probe: strict decoding error: '


def test_decoding_prunes_drops_nulls_and_defaults(probe: ResourceDefinition) -> None:
    body = a_probe(extra=1, spec={"zz": {"a": 1}, "text": None, "free": {"kept": None}})
    decoded = decode(request(probe, body, validation=FieldValidation.WARN), probe)
    assert decoded.object == a_probe(metadata={"name": "a", "namespace": "default"}, spec={"free": {"kept": None}, "mode": "auto"})
    assert decoded.warnings == ['unknown field "extra"', 'unknown field "spec.zz"']
    assert decoded.refusal is None


def test_strict_errors_come_as_duplicates_metadata_fields_embedded(probe: ResourceDefinition) -> None:
    body = a_probe(
        Extra=1,
        metadata={"name": "a", "zz": 1, "ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "n", "uid": "u", "foo": 1}]},
        spec={"b": 1, "a": None, "embedded": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "yy": 1}, "c": 1}},
    )
    answer = send(probe, body, duplicates=[("spec", "zz"), ("spec", "zz"), ("extra",)])
    listed = [
        'duplicate field "spec.zz"', 'duplicate field "extra"',
        'unknown field "metadata.ownerReferences[0].foo"', 'unknown field "metadata.zz"',
        'unknown field "Extra"', 'unknown field "spec.a"', 'unknown field "spec.b"', 'unknown field "spec.embedded.c"',
        'unknown field "spec.embedded.metadata.yy"',
    ]  # fmt: skip
    assert (answer.code, answer.message, list(answer.causes)) == (400, STRICT + ", ".join(listed), [])
    assert send(probe, body, duplicates=[("spec", "zz"), ("extra",)], validation=FieldValidation.WARN).warnings == listed


def test_at_most_a_hundred_duplicates_are_listed(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(zz=1), duplicates=[("spec", f"f{number}") for number in range(150)])
    assert answer.message.count("duplicate field") == 100
    assert answer.message.endswith('duplicate field "spec.f99", unknown field "zz"')


def test_unknown_fields_are_listed_without_limit(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec={f"f{number:03}": 1 for number in range(150)}))
    assert answer.message.count("unknown field") == 150


def test_without_field_validation_nothing_is_said_but_findings_are_made(probe: ResourceDefinition) -> None:
    decoded = decode(request(probe, a_probe(zz=1), validation=FieldValidation.IGNORE), probe)
    assert (decoded.warnings, decoded.refusal) == ([], None)
    assert [(finding.rule, finding.severity) for finding in decoded.findings] == [(UNKNOWN_FIELD, Severity.NOTE)]


def test_findings_name_the_field_that_was_perhaps_meant(probe: ResourceDefinition) -> None:
    body = a_probe(spec={"Replicas": 1, "list": [{"name": "a", "valeu": "x"}], "unlike": 1}, statsu={})
    decoded = decode(request(probe, body), probe, duplicates=[("spec", "text")])
    assert [(finding.rule, finding.field, finding.nearest) for finding in decoded.findings] == [
        (DUPLICATE_FIELD, "spec.text", ""),
        (UNKNOWN_FIELD, "spec.Replicas", "replicas"),
        (UNKNOWN_FIELD, "spec.list[0].valeu", "value"),
        (UNKNOWN_FIELD, "spec.unlike", ""),
        (UNKNOWN_FIELD, "statsu", "status"),
    ]
    assert {finding.severity for finding in decoded.findings} == {Severity.ERROR}
    assert decoded.findings[2].path == ("spec", "list", 0, "valeu")


def test_a_strict_refusal_still_gives_the_object(probe: ResourceDefinition) -> None:
    decoded = decode(request(probe, a_probe(zz=1)), probe)
    assert decoded.refusal is not None
    assert decoded.object["spec"] == {"mode": "auto"}


def test_an_object_in_a_scalars_place_is_an_unknown_field(probe: ResourceDefinition) -> None:
    body = a_probe(spec={"text": {"a": "b"}})
    assert send(probe, body).message == STRICT + 'unknown field "spec.text.a"'
    warned = send(probe, body, validation=FieldValidation.WARN)
    assert 'spec.text: Invalid value: "object": spec.text in body must be of type string: "object"' in warned.message


def test_fields_of_a_dropped_status_still_count_for_strict(probe: ResourceDefinition) -> None:
    assert send(probe, a_probe(status={"zz": 1})).message == STRICT + 'unknown field "status.zz"'
    assert send(probe, a_probe(status={"phase": "nonsense"})).code == 201


@pytest.mark.parametrize(
    ("metadata", "at", "why"),
    [
        (42, (), "json: cannot unmarshal number into Go value of type v1.ObjectMeta"),
        ([], (), "json: cannot unmarshal array into Go value of type v1.ObjectMeta"),
        ({"labels": {"a": 1}}, ("labels", "a"), "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"),
        (
            {"creationTimestamp": "yesterday"},
            ("creationTimestamp",),
            'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
        ),
    ],
    ids=["number", "list", "label", "time"],
)
def test_metadata_of_a_wrong_type_ends_the_decoding(probe: ResourceDefinition, metadata: JSONValue, at: Path, why: str) -> None:
    answer = send(probe, a_probe(metadata=metadata, zz=1), duplicates=[("spec",)])
    assert answer.message == f'Probe in version "v1" cannot be handled as a Probe: {why}'
    assert answer.decoded.object is None
    assert [(finding.rule, finding.path) for finding in answer.decoded.findings] == [(UNDECODABLE, ("metadata", *at))]


def test_embedded_metadata_of_a_wrong_type_ends_the_decoding(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(spec={"embedded": {"apiVersion": 3, "kind": "Pod"}}))
    assert (
        answer.message == 'Probe in version "v1" cannot be handled as a Probe: spec.embedded.apiVersion: Invalid value: 3: must be a string'
    )


def test_the_namespace_must_be_that_of_the_request(probe: ResourceDefinition) -> None:
    answer = send(probe, named(name="a", namespace="other"))
    assert answer.message == "the namespace of the provided object does not match the namespace sent on the request"
    assert send(probe, named(name="a", namespace="other"), namespace="").object["metadata"]["namespace"] == "other"


def test_strict_errors_come_before_the_namespace(probe: ResourceDefinition) -> None:
    body = a_probe(metadata={"name": "a", "namespace": "other"}, zz=1)
    assert send(probe, body).message == STRICT + 'unknown field "zz"'


def test_a_cluster_scoped_object_loses_its_namespace_without_a_word(plain: ResourceDefinition) -> None:
    answer = send(plain, a_plain(metadata={"name": "a", "namespace": "Any Thing"}))
    assert answer.object["metadata"] == {"name": "a", "generation": 1}
    assert answer.warnings == ["plain is going away"]


@pytest.mark.parametrize(
    ("metadata", "why"),
    [
        ({"name": "b"}, "the name of the object (b) does not match the name on the URL (a)"),
        ({}, "the name of the object (a based on URL) was undeterminable: name must be provided"),
    ],
    ids=["another", "none"],
)
def test_an_update_must_be_of_the_object_in_the_url(probe: ResourceDefinition, metadata: dict[str, str], why: str) -> None:
    answer = send(probe, a_probe(metadata=metadata), stored_probe())
    assert (answer.code, answer.message) == (400, why)


def test_a_deletion_has_nothing_to_decode(probe: ResourceDefinition) -> None:
    deletion = Request("1", Operation.DELETE, probe.gvk, old_object=stored_probe())
    decoded = decode(deletion, probe)
    assert (decoded.object, decoded.refusal, decoded.findings) == (None, None, [])


def test_redefaulting_fills_in_but_prunes_nothing(probe: ResourceDefinition) -> None:
    mutated = a_probe(spec={"mode": None, "from-a-webhook": 1})
    redefault(mutated, probe)
    assert mutated["spec"] == {"mode": "auto", "from-a-webhook": 1}


def test_without_a_subresource_its_endpoint_is_not_found(plain: ResourceDefinition, probe: ResourceDefinition) -> None:
    answer = send(plain, a_plain(), a_plain(), subresource="status")
    assert (answer.code, answer.message) == (404, 'plains.weighbridge.test "a" not found')
    assert send(probe, a_probe(), stored_probe(), subresource="log").code == 404


def test_deep_nesting_is_no_obstacle(probe: ResourceDefinition) -> None:
    deep: JSONValue = 1
    for _ in range(5_000):
        deep = {"n": deep}
    decoded = decode(request(probe, a_probe(spec={"free": deep})), probe)
    assert decoded.refusal is None
