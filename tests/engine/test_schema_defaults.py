"""The values of an object that come from the defaults of a schema, and not from its author."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.schema.node import MAX_DEPTH
from weighbridge.policies.verdict.schema_defaults import schema_defaults


def added(given: JSONObject, decoded: JSONObject) -> list[tuple[Path, JSONValue]]:
    """The added values, by path."""
    found = schema_defaults(given, decoded, "K")
    assert all((entry.source, entry.reason) == ("CRD", "default of the schema of K") for entry in found)
    return [(entry.path, entry.value) for entry in found]


@pytest.mark.parametrize(
    ("given", "decoded", "expected"),
    [
        ({}, {}, []),
        ({"spec": {"a": 1}}, {"spec": {"a": 1}}, []),
        ({"spec": {}}, {"spec": {"a": 1, "b": False}}, [(("spec", "a"), 1), (("spec", "b"), False)]),
        ({}, {"spec": {"a": {"b": 1}}}, [(("spec",), {"a": {"b": 1}})]),
        ({"spec": {"a": None}}, {"spec": {"a": 0}}, [(("spec", "a"), 0)]),
        ({"spec": {"a": None}}, {"spec": {"a": None}}, []),
        ({"spec": {}}, {"spec": {"a": None}}, []),
        ({"spec": {"a": 1}}, {"spec": {}}, []),
        ({"spec": {"a": 1}}, {"spec": {"a": 2}}, []),
        ({"spec": {"a": 0}}, {"spec": {"a": 0, "b": ""}}, [(("spec", "b"), "")]),
        ({"spec": {"a": {}}}, {"spec": {"a": {"b": {"c": 1}}}}, [(("spec", "a", "b"), {"c": 1})]),
        ({"spec": {"a": [{}, {"b": 1}]}}, {"spec": {"a": [{"b": 2}, {"b": 1}]}}, [(("spec", "a", 0, "b"), 2)]),
        ({"spec": {"a": [[{}], [{}]]}}, {"spec": {"a": [[{}], [{"b": 2}]]}}, [(("spec", "a", 1, 0, "b"), 2)]),
        ({"spec": {"a": [1, {}]}}, {"spec": {"a": [1, {"b": 2}]}}, [(("spec", "a", 1, "b"), 2)]),
        ({"spec": {"a": [{}]}}, {"spec": {"a": [{}, {"b": 1}]}}, []),
        ({"spec": {"a": [None]}}, {"spec": {"a": [{"b": 1}]}}, []),
        ({"spec": {"a": []}}, {"spec": {"a": {"b": 1}}}, []),
        ({"spec": {"a": {}}}, {"spec": {"a": [{"b": 1}]}}, []),
        ({"spec": {"a": "x"}}, {"spec": {"a": {"b": 1}}}, []),
        ({}, {"apiVersion": "v1", "kind": "K", "metadata": {"creationTimestamp": "x"}}, []),
        ({"spec": {"metadata": {}}}, {"spec": {"metadata": {"kind": "K"}}}, [(("spec", "metadata", "kind"), "K")]),
        ({"status": {}}, {"status": {"a": 1}}, [(("status", "a"), 1)]),
    ],
    ids=str,
)
def test_what_the_author_left_open_is_told(given: JSONObject, decoded: JSONObject, expected: list[tuple[Path, JSONValue]]) -> None:
    assert added(given, decoded) == expected


def test_one_entry_says_where_the_value_comes_from() -> None:
    found = schema_defaults({"spec": {}}, {"spec": {"replicas": 1}}, "inference.llmkube.dev/v1alpha1, Kind=Model")
    reason = "default of the schema of inference.llmkube.dev/v1alpha1, Kind=Model"
    assert found == [Provenance(("spec", "replicas"), 1, "CRD", reason)]


@pytest.mark.parametrize("is_list", [False, True])
def test_no_default_is_looked_for_below_what_schemas_describe(is_list: bool) -> None:
    def nested(depth: int, innermost: JSONObject) -> JSONObject:
        held: JSONValue = innermost
        for _ in range(depth):
            held = [held] if is_list else {"a": held}
        return {"spec": held}

    deepest = 2 * MAX_DEPTH
    for depth, expected in ((deepest - 1, 1), (deepest, 0)):
        assert len(added(nested(depth, {}), nested(depth, {"b": 1}))) == expected
