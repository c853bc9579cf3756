"""Entries of managedFields that the server keeps, and entries that it ignores."""

from __future__ import annotations

from typing import Any

from weighbridge.policies.ground.objects import JSONObject

LONG = "x" * 129


def an_entry(**parts: Any) -> JSONObject:
    """An entry that names a field which no probe has, so that it stays, by a manager whose name is too long."""
    whole = {
        "manager": LONG,
        "operation": "Apply",
        "apiVersion": "weighbridge.test/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:elsewhere": {}}},
    }
    return {key: value for key, value in (whole | parts).items() if value is not ...}


#: Entries that can't be read, or that name only fields that the request sets itself.
IGNORED_ENTRIES: list[JSONObject] = [
    an_entry(operation="Delete"),
    an_entry(operation=...),
    an_entry(apiVersion=...),
    an_entry(apiVersion="weighbridge.test/v9"),
    an_entry(fieldsType=...),
    an_entry(fieldsType="FieldsV2"),
    an_entry(fieldsV1=...),
    an_entry(fieldsV1={}),
    an_entry(fieldsV1=[]),
    an_entry(fieldsV1={"spec": {}}),
    an_entry(fieldsV1={"": {}}),
    an_entry(fieldsV1={"é": {}}),
    an_entry(fieldsV1={"f:spec": 5}),
    an_entry(fieldsV1={"i:x": {}}),
    an_entry(fieldsV1={"v:{": {}}),
    an_entry(fieldsV1={"k:[]": {}}),
    an_entry(time="9999-12-31T23:59:59-23:59"),
    an_entry(fieldsV1={"f:spec": {"f:mode": {}}}),
    an_entry(fieldsV1={"f:spec": {".": {}, "f:mode": {}}}),
]
KEPT_ENTRIES: list[JSONObject] = [
    an_entry(fieldsV1=fields)
    for fields in [{"x:later": {}, "f:spec": {"f:a": {}}}, {'k:{"a":1}': {}}, {"v:1": {}}, {"i:0": {}}, {"f:spec": {"f:a": None}}]
]
