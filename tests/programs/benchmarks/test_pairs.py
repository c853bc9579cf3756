"""The search for work that grows with pairs."""

from __future__ import annotations

from tests.programs.benchmarks.growth import obj
from tests.programs.benchmarks.pairs import per_pair, referring_to_each_other, referring_to_the_same

SERVICE = obj("ome.io/v1beta1", "InferenceService", "s", {"model": {"name": "m"}, "engine": {"runner": {"args": ["m", "x"]}}})
NAMES = frozenset({"s", "m"})


def test_copies_refer_to_each_other_or_to_the_same() -> None:
    second = referring_to_each_other(SERVICE, NAMES, 2)
    assert second["metadata"] == {"name": "s-2", "namespace": "one"}
    assert second["spec"] == {"model": {"name": "m-2"}, "engine": {"runner": {"args": ["m-2", "x"]}}}
    assert referring_to_the_same(SERVICE, NAMES, 0) == SERVICE
    assert referring_to_the_same(SERVICE, NAMES, 2) == {**SERVICE, "metadata": {"name": "s-2", "namespace": "one"}}


def test_linear_growth_has_no_calls_for_a_pair() -> None:
    sizes = (8, 16, 32)
    counted = [{"linear": 5 + 7 * size, "both": 5 + 7 * size + 3 * size**2} for size in sizes]
    assert per_pair(*counted) == {"linear": 0, "both": 3}
