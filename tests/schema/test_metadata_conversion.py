"""What a server of 1.37 says of metadata that admission has made unreadable, as a real one does."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.metadata_conversion import why_not_in_struct


@pytest.mark.parametrize(
    ("metadata", "text"),
    [
        ({"name": 5}, "cannot convert int64 to string"),
        ({"name": 1.5}, "unrecognized type: string"),
        ({"name": True}, "unrecognized type: string"),
        ({"name": []}, "unrecognized type: string"),
        ({"uid": 5}, "cannot convert int64 to types.UID"),
        ({"uid": {}}, "unrecognized type: string"),
        ({"generation": "1"}, "unrecognized type: int64"),
        ({"generation": 1.5}, "cannot convert float64 to int64"),
        ({"generation": 1.0, "deletionGracePeriodSeconds": 1e30}, ""),
        ({"deletionGracePeriodSeconds": False}, "unrecognized type: int64"),
        ({"creationTimestamp": 5}, "json: cannot unmarshal number into Go value of type string"),
        ({"deletionTimestamp": {}}, "json: cannot unmarshal object into Go value of type string"),
        ({"deletionTimestamp": "x"}, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'),
        ({"labels": []}, "cannot restore map from slice"),
        ({"labels": {"a": 1}}, "cannot convert int64 to string"),
        ({"annotations": {"a": {}, "b": None}}, "unrecognized type: string"),
        ({"finalizers": "x"}, "cannot restore slice from string"),
        ({"finalizers": ["a", None, 1]}, "cannot convert int64 to string"),
        ({"ownerReferences": {}}, "cannot restore slice from map"),
        ({"ownerReferences": [None, "x"]}, "cannot restore struct from: string"),
        ({"ownerReferences": [{"controller": "true", "uid": 1}]}, "cannot convert int64 to types.UID"),
        ({"ownerReferences": [{"controller": "true"}]}, "unrecognized type: bool"),
        ({"managedFields": [{"operation": 1}]}, "cannot convert int64 to v1.ManagedFieldsOperationType"),
        ({"managedFields": [{"fieldsV1": 5, "time": None}], "more": 5}, ""),
        ({"finalizers": 1, "labels": 1.5}, "cannot restore map from float64"),
        (5, "cannot restore struct from: int64"),
    ],
)
def test_the_first_field_of_the_struct_that_does_not_fit_is_named(metadata: Any, text: str) -> None:
    assert why_not_in_struct(metadata) == text
