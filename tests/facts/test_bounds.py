"""The kept part of one object is bounded, whatever an author writes into it."""

from __future__ import annotations

import gc
import logging
import tracemalloc
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.bounds import MOST_CHARACTERS, MOST_ENTRIES, MOST_VALUES, bounded
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject, walk
from weighbridge.webhook.cluster.transform import Transform

_MEGABYTE = 1_000_000


def labels() -> dict[str, Any]:
    """A megabyte of labels, for which there is no separate limit."""
    return {"metadata": {"labels": {f"example.com/label-{number:06}": f"value-{number:06}" for number in range(20_000)}}}


def variables() -> dict[str, Any]:
    """As many variables as fit, together with a variable that is read."""
    return {"spec": {"env": [{"name": f"VARIABLE_{number}", "value": "x"} for number in range(25_000)], "replicas": 3}}


def nested() -> dict[str, Any]:
    """Short lists within short lists."""
    return {"spec": {"env": [[[["x"] * 20 for _ in range(20)] for _ in range(20)] for _ in range(25)], "replicas": 3}}


def long_text() -> dict[str, Any]:
    """One text as large as an object may be."""
    return {"spec": {"env": [{"name": "A", "value": "x" * _MEGABYTE}], "replicas": 3}}


def long_keys() -> dict[str, Any]:
    """Keys as long as a map may have them."""
    return {"spec": {"env": {"k" * (_MEGABYTE // 2): "x"}, "replicas": 3}}


def large(content: dict[str, Any], kind: Any, number: int) -> JSONObject:
    """An object of a kind with this content, as it comes from the wire."""
    metadata = {**content.get("metadata", {}), "name": f"m{number}", "namespace": "team-a"}
    obj: JSONObject = orjson.loads(
        orjson.dumps({**content, "apiVersion": kind.gvk.api_version, "kind": kind.gvk.kind, "metadata": metadata})
    )
    return obj


@pytest.mark.parametrize("content", [labels, variables, nested, long_text, long_keys])
def test_twenty_objects_of_a_megabyte_are_kept_in_a_few(content: Callable[[], dict[str, Any]]) -> None:
    family = next(iter(families()))
    transform, store, written = Transform(), ObjectStore(), content()
    tracemalloc.start()
    try:
        begin = tracemalloc.get_traced_memory()[0]
        for number in range(20):
            kept = transform(large(written, family.kinds[0], number))
            assert kept is not None
            store.put(kept)
        del kept
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - begin
    finally:
        tracemalloc.stop()
    assert len(store) == 20
    assert grown < 20 * _MEGABYTE


def test_of_every_family_the_objects_are_bounded_and_what_is_beside_a_long_list_stays(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "weighbridge.cluster")
    transform = Transform()
    kinds = [kind for family in families() for kind in family.kinds]
    for kind in kinds:
        for _ in range(2):
            kept = transform(large({**labels(), **variables()}, kind, 1))
            assert kept is not None
            assert sum(1 for _ in walk(kept)) <= MOST_VALUES + 1
            assert kept["spec"]["replicas"] == 3
            assert len(kept["spec"]["env"]) == MOST_ENTRIES == len(kept["metadata"]["labels"])
            assert kept["metadata"]["name"] == "m1"
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == len({kind.gvk.kind for kind in kinds})
    assert told[0].startswith(f"{kinds[0].gvk.kind}/team-a/m1 is too large to be kept whole")


@pytest.mark.parametrize(
    ("obj", "kept"),
    [
        ({"a": ["x"] * MOST_ENTRIES}, {"a": ["x"] * MOST_ENTRIES}),
        ({"a": ["x"] * (MOST_ENTRIES + 1)}, {"a": ["x"] * MOST_ENTRIES}),
        ({"a": "x" * MOST_CHARACTERS, "b": None}, {"a": "x" * MOST_CHARACTERS, "b": None}),
        ({"a": "x" * (MOST_CHARACTERS + 1), "b": None}, {"a": "x" * MOST_CHARACTERS, "b": None}),
        ({"x" * (MOST_CHARACTERS + 1): 1, "b": {"c": []}}, {"b": {"c": []}}),
    ],
)
def test_where_the_bounds_are(obj: JSONObject, kept: JSONObject) -> None:
    assert bounded(obj) == kept
    assert (bounded(obj) is obj) is (obj == kept)


def test_what_stands_higher_is_kept_first() -> None:
    deep = {f"k{number}": [[number] * 100] * 10 for number in range(400)}
    kept = bounded({"a": deep, "b": {"c": {"d": 1}}})
    assert kept["b"] == {"c": {"d": 1}}
    assert len(kept["a"]) == 400
    assert sum(1 for _ in walk(kept)) == MOST_VALUES + 1
