"""Updates: fields that are restored, fields that must stay, and the version that is written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apiserver.probe import a_plain, a_probe, send, stored_probe
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.go_values import deep_copy

MODIFIED = (
    'Operation cannot be fulfilled on probes.weighbridge.test "a": '
    "the object has been modified; please apply your changes to the latest version and try again"
)
UNVERSIONED = 'probes.weighbridge.test "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'


def changed(stored: JSONObject, **metadata: Any) -> JSONObject:
    """The stored object with some of its metadata replaced; a part that is `...` is left out."""
    whole = stored["metadata"] | metadata
    return stored | {"metadata": {key: value for key, value in whole.items() if value is not ...}}


def test_an_identical_update_stores_what_was_stored(probe: ResourceDefinition) -> None:
    stored = stored_probe(text="x")
    assert send(probe, deep_copy(stored), stored).object == stored


def test_a_changed_spec_is_a_new_generation(probe: ResourceDefinition) -> None:
    stored = stored_probe(text="x")
    answer = send(probe, stored | {"spec": {"text": "y"}}, stored)
    assert (answer.code, answer.object["metadata"]["generation"], answer.object["spec"]) == (200, 4, {"text": "y", "mode": "auto"})


def test_changed_metadata_is_no_new_generation(probe: ResourceDefinition) -> None:
    stored = stored_probe()
    answer = send(probe, changed(stored, labels={"a": "b"}), stored)
    assert (answer.object["metadata"]["labels"], answer.object["metadata"]["generation"]) == ({"a": "b"}, 3)


def test_a_number_of_another_kind_is_a_change(probe: ResourceDefinition) -> None:
    stored = stored_probe(ratio=1)
    answer = send(probe, stored | {"spec": {"ratio": 1.0}}, stored)
    assert (answer.object["spec"]["ratio"], answer.object["metadata"]["generation"]) == (1, 4)


def test_what_only_the_server_sets_is_restored(probe: ResourceDefinition) -> None:
    stored = stored_probe()
    written = changed(stored, generation=77, creationTimestamp="2020-01-01T00:00:00Z", managedFields=[{"manager": "x"}], uid=...)
    assert send(probe, written, stored).object == stored


def test_a_self_link_is_never_stored(probe: ResourceDefinition) -> None:
    stored = stored_probe()
    written = changed(stored, selfLink="/x", labels={"a": "b"})
    assert send(probe, written, stored).object["metadata"]["selfLink"] == "/x", "a dry run hands it to no storage"
    assert "selfLink" not in send(probe, written, stored, dry_run=False).object["metadata"]
    assert "selfLink" not in send(probe, written, stored, subresource="status").object["metadata"]


def test_the_status_stays_what_it_was(probe: ResourceDefinition) -> None:
    stored = stored_probe() | {"status": {"phase": "Up"}}
    assert send(probe, stored | {"status": {"phase": "Down"}}, stored).object["status"] == {"phase": "Up"}
    assert "status" not in send(probe, stored_probe() | {"status": {"phase": "Down"}}, stored_probe()).object


def test_without_a_subresource_the_status_is_written(plain: ResourceDefinition) -> None:
    answer = send(plain, a_plain(status={"a": "new"}), a_plain(status={"a": "old"}))
    assert answer.object["status"] == {"a": "new"}
    assert answer.object["metadata"]["generation"] == 2


@pytest.mark.parametrize("version", [..., "", "0", "000"])
def test_an_update_without_a_resource_version_names_the_resource(probe: ResourceDefinition, version: str) -> None:
    stored = stored_probe()
    answer = send(probe, changed(stored, resourceVersion=version), stored)
    assert (answer.code, answer.message) == (422, UNVERSIONED)


@pytest.mark.parametrize(
    ("version", "code", "message"),
    [
        ("1", 409, MODIFIED),
        ("0042", 200, ""),
        ("abc", 500, 'strconv.ParseUint: parsing "abc": invalid syntax'),
        ("-1", 500, 'strconv.ParseUint: parsing "-1": invalid syntax'),
        ("9" * 20, 500, f'strconv.ParseUint: parsing "{"9" * 20}": value out of range'),
    ],
)
def test_the_resource_version_must_be_the_stored_one(probe: ResourceDefinition, version: str, code: int, message: str) -> None:
    stored = stored_probe()
    answer = send(probe, changed(stored, resourceVersion=version), stored)
    assert (answer.code, answer.message) == (code, message)


@pytest.mark.parametrize(("dry_run", "prefix"), [(True, ""), (False, "/registry")])
def test_another_uid_is_another_object(probe: ResourceDefinition, *, dry_run: bool, prefix: str) -> None:
    stored = stored_probe()
    answer = send(probe, changed(stored, uid="xyz", resourceVersion="1"), stored, dry_run=dry_run)
    assert (answer.code, answer.message) == (
        409,
        (
            'Operation cannot be fulfilled on probes.weighbridge.test "a": StorageError: invalid object, Code: 4, '
            f"Key: {prefix}/weighbridge.test/probes/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
            "UID in precondition: xyz, UID in object meta: 11111111-1111-1111-1111-111111111111"
        ),
    )


def test_with_a_manifest_as_old_object_nothing_is_compared_that_it_lacks(probe: ResourceDefinition) -> None:
    answer = send(probe, changed(stored_probe(), resourceVersion=...), a_probe())
    assert (answer.code, answer.object["metadata"]) == (200, {"name": "a", "namespace": "default", "generation": 1})


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"deletionTimestamp": "2026-01-01T00:00:00Z"}, 'deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable'),
        ({"deletionGracePeriodSeconds": 3}, "deletionGracePeriodSeconds: Invalid value: 3: field is immutable"),
    ],
    ids=["time", "grace"],
)
def test_nobody_deletes_by_writing_a_timestamp(probe: ResourceDefinition, metadata: JSONObject, message: str) -> None:
    stored = stored_probe()
    answer = send(probe, changed(stored, **metadata), stored)
    assert answer.message == f'Probe.weighbridge.test "a" is invalid: metadata.{message}'
    assert len(answer.causes) == 2, "the server asks twice, and names the cause each time"


def test_errors_of_metadata_are_causes_as_often_as_they_are_asked(probe: ResourceDefinition) -> None:
    stored = stored_probe()
    labels = send(probe, changed(stored, labels={"a b": "c"}), stored)
    finalizers = send(probe, changed(stored, finalizers=["a b"]), stored)
    assert [len(answer.causes) for answer in (labels, finalizers)] == [3, 1]
    assert labels.message.count("metadata.labels") == 1


def test_only_new_finalizers_are_warned_of(probe: ResourceDefinition) -> None:
    stored = changed(stored_probe(), finalizers=["old"])
    answer = send(probe, changed(stored, finalizers=["old", "new"]), stored)
    assert [warning.split(":")[1] for warning in answer.warnings] == [' "new"']


def test_no_finalizer_is_added_to_what_is_being_deleted(probe: ResourceDefinition) -> None:
    stored = changed(stored_probe(), deletionTimestamp="2026-02-01T00:00:00Z", finalizers=["a.io/b"])
    answer = send(probe, changed(stored, finalizers=["a.io/b", "a.io/d", "a.io/c"]), stored)
    assert answer.message == (
        'Probe.weighbridge.test "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being '
        'deleted, found new finalizers []string{"a.io/c", "a.io/d"}'
    )


def test_a_deletion_can_not_be_taken_back(probe: ResourceDefinition) -> None:
    stored = changed(stored_probe(), deletionTimestamp="2026-02-01T00:00:00Z", deletionGracePeriodSeconds=0, finalizers=["a.io/b"])
    answer = send(probe, changed(stored, deletionTimestamp=..., deletionGracePeriodSeconds=..., finalizers=...), stored)
    metadata = answer.object["metadata"]
    assert (metadata["deletionTimestamp"], metadata["deletionGracePeriodSeconds"]) == ("2026-02-01T00:00:00Z", 0)
    assert "finalizers" not in metadata


def test_another_kind_is_named_by_the_refusal(probe: ResourceDefinition) -> None:
    stored = stored_probe()
    answer = send(probe, stored | {"kind": "Pod"}, stored)
    assert answer.message == 'Pod.weighbridge.test "a" is invalid: kind: Invalid value: "Pod": must be Probe'


def test_what_was_wrong_before_is_forgiven_where_it_has_not_changed(probe: ResourceDefinition) -> None:
    stored = stored_probe(text="far too long for this", replicas=1)
    assert send(probe, stored | {"spec": stored["spec"] | {"replicas": 2}}, stored).code == 200
    assert send(probe, stored | {"spec": stored["spec"] | {"text": "also far too long"}}, stored).code == 422


def test_nothing_at_the_root_is_forgiven(probe: ResourceDefinition) -> None:
    stored = {key: value for key, value in stored_probe().items() if key != "spec"}
    answer = send(probe, deep_copy(stored), stored)
    assert answer.message.startswith('Probe.weighbridge.test "a" is invalid: [spec: Required value, <nil>: Invalid value: null: some')


def test_an_unchanged_broken_map_list_is_not_forgiven(probe: ResourceDefinition) -> None:
    stored = stored_probe(list=[{"value": "has no name"}])
    answer = send(probe, deep_copy(stored), stored)
    assert "spec.list[0].name: Required value" in answer.message


def test_lists_that_held_duplicates_before_may_hold_them_still(probe: ResourceDefinition) -> None:
    stored = stored_probe(list=[{"name": "x"}, {"name": "x"}], replicas=1)
    assert send(probe, stored | {"spec": stored["spec"] | {"replicas": 2}}, stored).code == 200
    clean = stored_probe(list=[{"name": "x"}])
    assert 'spec.list[1]: Duplicate value: {"name":"x"}' in send(probe, stored, clean).message


def test_embedded_objects_are_never_forgiven(probe: ResourceDefinition) -> None:
    stored = stored_probe(embedded={"kind": "Pod", "apiVersion": "a/b/c"})
    assert "spec.embedded.apiVersion: Invalid value" in send(probe, deep_copy(stored), stored).message


def test_an_unchanged_broken_rule_is_a_warning(probe: ResourceDefinition) -> None:
    stored = stored_probe(gone="bad", replicas=1)
    answer = send(probe, stored | {"spec": stored["spec"] | {"replicas": 2}}, stored)
    assert (answer.code, answer.warnings) == (200, ['spec.gone: Invalid value: "bad": bad is bad'])


def test_the_old_object_is_read_as_the_server_reads_it(probe: ResourceDefinition) -> None:
    stored = stored_probe(unknown=1) | {"apiVersion": "weighbridge.test/v1alpha1"}
    del stored["spec"]["mode"]
    answer = send(probe, stored_probe(), stored)
    assert answer.object["metadata"]["generation"] == 3, "pruned and defaulted it is the same"


def test_without_an_old_object_there_is_nothing_to_update(probe: ResourceDefinition) -> None:
    answer = send(probe, stored_probe(), "no object")
    assert (answer.code, answer.message) == (404, 'probes.weighbridge.test "a" not found')
