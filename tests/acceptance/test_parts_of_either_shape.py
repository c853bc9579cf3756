"""Parts of a schema that can have more than one shape, in their stored form."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.acceptance.stored_form import written
from weighbridge.policies.ground.objects import JSONObject


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"dependencies": {"a": None}}, {"dependencies": {"a": None}}),
        ({"dependencies": {"a": ["b", "c"], "d": []}}, {"dependencies": {"a": ["b", "c"], "d": None}}),
        ({"dependencies": {"a": {"maximum": 2.0}}}, {"dependencies": {"a": {"maximum": 2}}}),
        ({"dependencies": {}}, {}),
        ({"additionalProperties": False}, {"additionalProperties": False}),
        ({"additionalProperties": {"maximum": 2.0}}, {"additionalProperties": {"maximum": 2}}),
        ({"additionalItems": True}, {"additionalItems": True}),
        ({"items": [{"maximum": 2.0}]}, {"items": [{"maximum": 2}]}),
        ({"items": None}, {}),
    ],
)
def test_each_shape_is_written_as_it_is(schema: JSONObject, expected: JSONObject) -> None:
    crd = written({"metadata": {}, "spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}})
    assert crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"] == expected
