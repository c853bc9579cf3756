"""The node that would take the pod: its name, labels and resources, from the pod's requests."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.placement.clusters import affine, labelled, named, node, placed, pod
from tests.placement.test_nearest_causes import company, spread
from tests.placement.test_volumes import HOST, ZONE
from weighbridge.policies.facts.selectors import Term
from weighbridge.policies.ground.objects import JSONObject

GPU = "amd.com/gpu"
POOL = "cloud.google.com/gke-nodepool"


@pytest.mark.parametrize(
    ("asked", "name", "labels", "allocatable"),
    [
        (pod({GPU: "2"}), "gpu-node", {}, {GPU: 2}),
        (pod({GPU: "2", "hugepages-2Mi": "4Mi", "cpu": "100"}), "gpu-node", {}, {GPU: 2, "hugepages-2Mi": 4 * 2**20}),
        (pod({"hugepages-2Mi": "4Mi", "cpu": "1"}), "hugepages-2Mi-node", {}, {"hugepages-2Mi": 4 * 2**20}),
        (pod({"cpu": "100"}), "expected-node", {}, {}),
        (pod(nodeSelector={"a": "1", "b": "2"}), "expected-node", {"a": "1", "b": "2"}, {}),
        (pod({GPU: "1"}, nodeSelector={POOL: "large"}), "large", {POOL: "large"}, {GPU: 1}),
        (pod({GPU: "1"}, nodeSelector={POOL: "true"}), "gpu-node", {POOL: "true"}, {GPU: 1}),
        (pod(nodeSelector={HOST: "h"}), "h", {}, {}),
        (affine(named("m")), "m", {}, {}),
        (affine(named("m"), nodeSelector={HOST: "h"}), "m", {HOST: "h"}, {}),
        (affine(named("m"), nodeSelector={HOST: "m"}), "m", {}, {}),
        (affine(named("n", operator="NotIn")), "expected-node", {}, {}),
        (labelled("a", "In", "1", "2"), "expected-node", {"a": "1"}, {}),
        (labelled("a", "Exists"), "expected-node", {"a": "any"}, {}),
        (labelled("a", "Gt", "5"), "expected-node", {"a": "6"}, {}),
        (labelled("a", "Lt", "5"), "expected-node", {"a": "4"}, {}),
        (spread("rack"), "expected-node", {"rack": "any"}, {}),
        (spread("rack", "row", nodeSelector={"rack": "r1"}), "expected-node", {"rack": "r1", "row": "any"}, {}),
        (company("rack"), "expected-node", {"rack": "any"}, {}),
        (spread(ZONE, "rack"), "expected-node", {ZONE: "z1", "rack": "any"}, {}),
        (
            affine({"matchExpressions": [{"key": "a", "operator": "In", "values": ["1"]}]}, nodeSelector={"a": "2"}),
            "",
            {},
            {},
        ),
        (labelled("a", "Gt", "x"), "", {}, {}),
        (company("rack", label="b"), "", {}, {}),
    ],
)
def test_a_node_for_the_pod_has_what_it_asks_for(asked: JSONObject, name: str, labels: dict[str, str], allocatable: dict[str, int]) -> None:
    found = placed(asked, node(labels={ZONE: "z1"}, unschedulable=True))
    assert not found.fits
    if not name:
        assert found.wish is None
        return
    assert found.wish is not None
    assert (found.wish.name, found.wish.labels, found.wish.allocatable) == (name, labels, allocatable)
    assert found.wish.as_node().labels.items() >= {HOST: labels.get(HOST, name), "kubernetes.io/os": "linux"}.items()


def test_many_terms_that_no_node_meets_are_not_each_compared_with_all(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    matches = Term.matches

    def counted(term: Term, labels: Mapping[str, str], name: str = "") -> bool:
        nonlocal compared
        compared += 1
        return matches(term, labels, name)

    monkeypatch.setattr(Term, "matches", counted)
    terms = [{"matchExpressions": [{"key": "a", "operator": "In", "values": [str(number)]}]} for number in range(200)]
    found = placed(affine(*terms, nodeSelector={"a": "none"}), node(labels={ZONE: "z1"}))
    assert (found.fits, found.wish) == (False, None)
    assert compared < 20 * len(terms)
