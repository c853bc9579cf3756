"""A pod with very many labels, terms or claims in a cluster with many others: similar names are only looked up for the first few."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.counted_calls import calls_of
from tests.placement.clusters import affine, facts, node, pod
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place


def _with_selector(size: int) -> JSONObject:
    return pod(nodeSelector={f"wanted-{at}": "x" for at in range(size)})


def _with_terms(size: int) -> JSONObject:
    return affine(*({"matchExpressions": [{"key": f"wanted-{at}", "operator": "In", "values": ["x"]}]} for at in range(size)))


def _with_claims(size: int) -> JSONObject:
    return pod(volumes=[{"name": f"v{at}", "persistentVolumeClaim": {"claimName": f"wanted-{at}"}} for at in range(size)])


def _cluster(size: int) -> list[JSONObject]:
    """Nodes of few shapes with many labels, a zone each, and claims."""
    labels = {f"given-{at}": "x" for at in range(size)}
    nodes = [node(f"n{at}", labels={"zone": f"zone-{at % 8}", **labels}) for at in range(8)]
    metadata = [{"name": f"given-{at}", "namespace": "default"} for at in range(size)]
    return [*nodes, *({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": one, "spec": {}} for one in metadata)]


@pytest.mark.parametrize("asked", [_with_selector, _with_terms, _with_claims])
def test_twice_as_many_in_a_cluster_of_twice_as_many_are_twice_the_work(asked: Callable[[int], JSONObject]) -> None:
    counts = []
    for size in (320, 80, 160, 320):
        cluster = facts(*_cluster(size))
        counts.append(calls_of(partial(place, asked(size), cluster)))
    _, least, less, more = counts
    assert more - less <= 2.3 * (less - least) + 500, counts
