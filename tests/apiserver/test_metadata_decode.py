"""Metadata after Go's typed round trip."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_time import TimeParseError, unix_seconds, utc_text
from weighbridge.policies.schema.metadata_decode import MetadataDecodeError, coerce_metadata, stored_numbers

FIELD = "json: cannot unmarshal {} into Go struct field {} of type {}"


@pytest.mark.parametrize(
    ("metadata", "coerced"),
    [
        (None, {}),
        ({"labels": {}, "finalizers": [], "name": "", "generation": 0, "creationTimestamp": None}, {}),
        ({"labels": {"a": None}, "finalizers": [None]}, {"labels": {"a": ""}, "finalizers": [""]}),
        ({"generation": 1.0, "deletionGracePeriodSeconds": 0}, {"generation": 1, "deletionGracePeriodSeconds": 0}),
        ({"creationTimestamp": "2026-01-01T01:00:00.75+01:00"}, {"creationTimestamp": "2026-01-01T00:00:00Z"}),
        ({"creationTimestamp": "0001-01-01T00:00:00Z", "deletionTimestamp": "0001-01-01T00:00:00Z"}, {"deletionTimestamp": None}),
        ({"ownerReferences": [None]}, {"ownerReferences": [{"apiVersion": "", "kind": "", "name": "", "uid": ""}]}),
        ({"managedFields": [{"fieldsV1": {"f:a": 1.0}, "time": None}]}, {"managedFields": [{"fieldsV1": {"f:a": 1}}]}),
    ],
    ids=["null", "empty", "nulls-inside", "whole-float", "time", "zero-time", "owner", "managed"],
)
def test_what_is_empty_is_not_written_back(metadata: JSONValue, coerced: JSONObject) -> None:
    assert coerce_metadata(metadata).metadata == coerced


def test_unknown_fields_are_dropped_and_named_in_order() -> None:
    found = coerce_metadata({"zz": 1, "Name": "x", "name": "a", "ownerReferences": [{"foo": 1}]}, path="spec.template.metadata")
    assert found.metadata == {"name": "a", "ownerReferences": [{"apiVersion": "", "kind": "", "name": "", "uid": ""}]}
    assert found.unknown == [
        "spec.template.metadata.Name", "spec.template.metadata.ownerReferences[0].foo", "spec.template.metadata.zz",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ("x", "json: cannot unmarshal string into Go value of type v1.ObjectMeta"),
        ({"name": 1, "labels": {"b": True, "a": 1}}, FIELD.format("number", "ObjectMeta.labels", "string")),
        ({"labels": ["a"]}, FIELD.format("array", "ObjectMeta.labels", "map[string]string")),
        ({"uid": {}}, FIELD.format("object", "ObjectMeta.uid", "types.UID")),
        ({"finalizers": "a"}, FIELD.format("string", "ObjectMeta.finalizers", "[]string")),
        ({"ownerReferences": [3]}, FIELD.format("number", "ObjectMeta.ownerReferences", "v1.OwnerReference")),
        ({"ownerReferences": [{"controller": "x"}]}, FIELD.format("string", "OwnerReference.ownerReferences.controller", "bool")),
        ({"generation": 1.5}, FIELD.format("number 1.5", "ObjectMeta.generation", "int64")),
        ({"generation": 1e30}, FIELD.format("number 1e+30", "ObjectMeta.generation", "int64")),
        ({"generation": True}, FIELD.format("bool", "ObjectMeta.generation", "int64")),
        ({"managedFields": [{"operation": 1}]}, FIELD.format(
            "number", "ManagedFieldsEntry.managedFields.operation", "v1.ManagedFieldsOperationType")),
        ({"annotations": 1, "creationTimestamp": 2}, FIELD.format("number", "ObjectMeta.creationTimestamp", "string")),
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_type_is_an_error_in_the_words_of_go(metadata: JSONValue, message: str) -> None:
    with pytest.raises(MetadataDecodeError) as raised:
        coerce_metadata(metadata)
    assert str(raised.value) == message


def test_of_stored_metadata_only_what_is_malformed_is_dropped() -> None:
    found = coerce_metadata({"name": "a", "labels": {"a": 1}, "zz": 1, "annotations": {"b": "c"}}, drop_malformed=True)
    assert (found.metadata, found.unknown) == ({"name": "a", "annotations": {"b": "c"}}, ["metadata.zz"])


@pytest.mark.parametrize(("value", "go_type"), [([1], "[]interface {}"), ("x", "string"), (1, "int64"), (1.5, "float64"), (True, "bool")])
def test_stored_metadata_must_be_a_map(value: JSONValue, go_type: str) -> None:
    with pytest.raises(MetadataDecodeError, match="invalid metadata: expected object, got ") as raised:
        coerce_metadata(value, drop_malformed=True)
    assert str(raised.value).endswith(go_type)


def test_whole_floats_become_integers_where_go_prints_them_so() -> None:
    assert (
        repr(stored_numbers({"a": [1.0, -0.0, 1e18, 1e19, 0.5], "b": True})) == "{'a': [1, 0, 1000000000000000000, 1e+19, 0.5], 'b': True}"
    )


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2024-02-29T1:04:05,5+02:60", "2024-02-28T22:04:05Z"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59-24:00", "10000-01-01T23:59:59Z"),
        ("0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"),
        ("2000-02-29T12:00:00Z", "2000-02-29T12:00:00Z"),
    ],
)
def test_times_are_read_as_leniently_as_go_reads_them(text: str, utc: str) -> None:
    assert utc_text(unix_seconds(text)) == utc


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'),
        ("2026/01", 'parsing time "2026/01" as "2006-01-02T15:04:05Z07:00": cannot parse "/01" as "-"'),
        ("2026-1-01T", 'parsing time "2026-1-01T" as "2006-01-02T15:04:05Z07:00": cannot parse "1-01T" as "01"'),
        ("2026-13-01T00:00:00Z", 'parsing time "2026-13-01T00:00:00Z": month out of range'),
        ("2023-02-29T00:00:00Z", 'parsing time "2023-02-29T00:00:00Z": day out of range'),
        ("2026-01-01T24:00:00Z", 'parsing time "2026-01-01T24:00:00Z": hour out of range'),
        ("2026-01-01T00:60:00Z", 'parsing time "2026-01-01T00:60:00Z": minute out of range'),
        ("2026-01-01T00:00:60Z", 'parsing time "2026-01-01T00:00:60Z": second out of range'),
        ("2026-01-01T00:00:00", 'parsing time "2026-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'),
        ("2026-01-01T00:00:00+25:00", 'parsing time "2026-01-01T00:00:00+25:00": time zone offset hour out of range'),
        ("2026-01-01T00:00:00+01:61", 'parsing time "2026-01-01T00:00:00+01:61": time zone offset minute out of range'),
        ("2026-01-01T00:00:00?01:00", ('parsing time "2026-01-01T00:00:00?01:00" as "2006-01-02T15:04:05Z07:00": '
         'cannot parse "?01:00" as "Z07:00"')),
        ("2026-01-01T00:00:00Zé", r'parsing time "2026-01-01T00:00:00Z\xc3\xa9": extra text: "\xc3\xa9"'),
        ('"\\\n', r'parsing time "\"\\\x0a" as "2006-01-02T15:04:05Z07:00": cannot parse "\"\\\x0a" as "2006"'),
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused_in_the_words_of_go(text: str, message: str) -> None:
    with pytest.raises(TimeParseError) as raised:
        unix_seconds(text)
    assert str(raised.value) == message
