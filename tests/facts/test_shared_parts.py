"""Equal parts of CRDs are kept once, and nothing about them changes."""

from __future__ import annotations

import copy
import json

from weighbridge.policies.facts.shared_parts import SharedParts, with_shared_schemas
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.transform import Transform
from weighbridge.webhook.inputs.bundled import bundled_crds


def test_equal_parts_of_two_objects_are_the_same() -> None:
    share = SharedParts()
    one = share({"spec": {"type": "".join(("st", "ring")), "enum": ["a", "b"]}})
    other = share({"spec": {"type": "string", "enum": ["a", "b"]}, "kind": "X"})
    assert one["spec"] is other["spec"]
    assert one == {"spec": {"type": "string", "enum": ["a", "b"]}}
    assert list(other) == ["spec", "kind"]


def test_values_that_only_python_takes_for_equal_stay_apart() -> None:
    share = SharedParts()
    values: list[JSONObject] = [{"default": value} for value in (1, True, 1.0, 0, False, -0.0, 0.0, None, "1")]
    assert [json.dumps(share(copy.deepcopy(value))) for value in values] == [json.dumps(value) for value in values]


def test_the_order_of_fields_stays() -> None:
    share = SharedParts()
    assert list(share({"a": 1, "b": 2})) == ["a", "b"]
    assert list(share({"b": 2, "a": 1})) == ["b", "a"]


def test_an_object_that_is_nested_too_deeply_is_kept_as_it_is() -> None:
    deep: JSONObject = {}
    for _ in range(5000):
        deep = {"items": deep}
    assert SharedParts()(deep) is deep


def test_what_ships_keeps_its_content_in_a_fraction_of_the_parts() -> None:
    crds = list(bundled_crds())
    shared = list(with_shared_schemas(crds))
    assert list(map(json.dumps, shared)) == list(map(json.dumps, crds))
    assert len(_maps(shared)) * 5 < len(_maps(crds))


def test_other_objects_pass_as_they_are() -> None:
    model = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    assert next(iter(with_shared_schemas([model]))) is model


def test_watched_definitions_share_parts() -> None:
    transform = Transform()
    crd = next(iter(bundled_crds()))
    one, other = (transform(copy.deepcopy(crd)) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one["spec"] is other["spec"]
    assert one["spec"] == crd["spec"]


def _maps(objects: list[JSONObject]) -> set[int]:
    found: set[int] = set()
    pending: list[object] = list(objects)
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            found.add(id(value))
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    return found
