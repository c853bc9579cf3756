"""Managed fields in a body: those that the server ignores, and those that it reads and then refuses."""

from __future__ import annotations

import pytest

from tests.apiserver.managed import IGNORED_ENTRIES, KEPT_ENTRIES, an_entry
from tests.apiserver.probe import a_probe, named, send, stored_probe
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.objects import JSONObject

TOO_LONG = "Too long: may not be more than 128 bytes"


def test_an_entry_that_can_be_read_is_validated(probe: ResourceDefinition) -> None:
    answer = send(probe, named(name="a", managedFields=[an_entry()]))
    assert answer.code == 422
    assert answer.causes[0] == {"reason": "FieldValueTooLong", "field": "metadata.managedFields[0].manager", "message": TOO_LONG}


@pytest.mark.parametrize("entry", IGNORED_ENTRIES)
def test_entries_that_cannot_be_read_or_lose_all_their_fields_are_ignored(probe: ResourceDefinition, entry: JSONObject) -> None:
    assert send(probe, named(name="a", managedFields=[entry])).code == 201


@pytest.mark.parametrize("entry", KEPT_ENTRIES)
def test_fields_of_every_kind_keep_an_entry(probe: ResourceDefinition, entry: JSONObject) -> None:
    assert send(probe, named(name="a", managedFields=[entry])).code == 422


def test_one_entry_that_cannot_be_read_makes_all_be_ignored(probe: ResourceDefinition) -> None:
    assert send(probe, named(name="a", managedFields=[an_entry(), an_entry(operation="")])).code == 201


def test_nothing_is_tracked_where_a_value_is_of_a_wrong_type(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(metadata={"name": "a", "managedFields": [an_entry()]}, spec={"text": 5}))
    assert {cause["field"] for cause in answer.causes} == {"spec.text", "<nil>"}


def test_an_entry_of_another_version_needs_one_that_knows_the_object(probe: ResourceDefinition) -> None:
    entry = an_entry(apiVersion="weighbridge.test/v1alpha1")
    assert send(probe, named(name="a", managedFields=[entry])).code == 201, "v1alpha1 knows no spec.mode, which is filled in"


def test_entries_stand_in_the_order_in_which_they_are_stored(probe: ResourceDefinition) -> None:
    entries = [
        an_entry(operation="Update", manager="b\t"),
        an_entry(operation="Update", manager="a\n", time="2026-01-01T00:00:00Z"),
        an_entry(manager="z\x01", subresource="s" * 257),
        an_entry(manager="z\x01", apiVersion="weighbridge.test/v1", subresource="s" * 257, fieldsV1={"f:other": {}}),
    ]
    answer = send(probe, named(name="a", managedFields=entries))
    assert [(cause["field"].removeprefix("metadata.managedFields"), cause["message"]) for cause in answer.causes[:4]] == [
        ("[0].manager", r'Invalid value: "z\x01": invalid character U+0001 (at position 1)'),
        ("[0].subresource", "Too long: may not be more than 256 bytes"),
        ("[1].manager", r'Invalid value: "b\t": invalid character U+0009 (at position 1)'),
        ("[2].manager", r'Invalid value: "a\n": invalid character U+000A (at position 1)'),
    ]


def test_an_update_finds_fault_three_times(probe: ResourceDefinition) -> None:
    old = stored_probe()
    answer = send(probe, old | {"metadata": old["metadata"] | {"managedFields": [an_entry()]}}, old)
    assert [cause["message"] for cause in answer.causes] == [TOO_LONG] * 3 + [answer.causes[-1]["message"]]


def test_an_update_takes_the_fields_that_it_changes_from_other_entries(probe: ResourceDefinition) -> None:
    old = stored_probe(text="x", mode="auto")
    entry = an_entry(fieldsV1={"f:spec": {"f:text": {}}})
    body = old | {"metadata": old["metadata"] | {"managedFields": [entry]}}
    assert send(probe, body, old).code == 422, "the field is as it was"
    assert send(probe, body | {"spec": {"text": "y", "mode": "auto"}}, old).code == 200
    assert send(probe, body | {"spec": {"mode": "auto"}}, old).code == 200


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ({'k:{"name":"a"}': {"f:value": {}}}, 201),
        ({'k:{"name":"a"}': {".": {}, "f:name": {}}}, 201),
        ({'k:{"name":"b"}': {"f:value": {}}}, 422),
        ({'k:{"value":"x"}': {"f:value": {}}}, 422),
        ({'k:{"name":"a","value":"x"}': {"f:value": {}}}, 422),
        ({'v:{"name":"a"}': {"f:value": {}}}, 422),
        ({"i:0": {"f:value": {}}}, 422),
    ],
)
def test_an_item_of_a_list_map_is_named_by_its_keys(probe: ResourceDefinition, path: JSONObject, code: int) -> None:
    entry = an_entry(fieldsV1={"f:spec": {"f:list": path}})
    body = a_probe(metadata={"name": "a", "managedFields": [entry]}, spec={"list": [{"name": "a", "value": "x"}]})
    assert send(probe, body).code == code, "an entry whose fields the request sets itself isn't kept, any other is too long"


def test_nothing_is_tracked_where_an_item_of_a_list_map_lacks_its_key(probe: ResourceDefinition) -> None:
    answer = send(probe, a_probe(metadata={"name": "a", "managedFields": [an_entry()]}, spec={"list": [{"name": "a"}, {"value": "x"}]}))
    assert {cause["field"] for cause in answer.causes} == {"spec.list[1].name", "<nil>"}


def test_a_status_write_leaves_the_stored_entries(probe: ResourceDefinition) -> None:
    old = stored_probe()
    body = old | {"metadata": old["metadata"] | {"managedFields": [an_entry()]}}
    answer = send(probe, body, old, subresource="status")
    assert answer.code == 200
    assert answer.object["metadata"]["managedFields"] == old["metadata"]["managedFields"]
