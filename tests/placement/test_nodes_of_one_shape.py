"""Nodes that differ only in name, address and the like are distinguished if the pod, its claims or their volumes look at these."""

from __future__ import annotations

import pytest

from tests.placement.clusters import affine, facts, labelled, named, node, placed, pod
from tests.placement.test_claims_in_detail import annotated
from tests.placement.test_volume_limits import capacity, csi_node, driver
from tests.placement.test_volumes import HOST, ZONE, claim, storage_class, using, volume
from weighbridge.policies.ground.objects import JSONObject

OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
SELECTED = "volume.kubernetes.io/selected-node"
COUNT = 40


def nodes(label: str) -> list[JSONObject]:
    """Nodes of one shape, each with a different value of a label."""
    return [node(f"n{at}", labels={label: f"z{at}"}) for at in range(COUNT)]


def by_hand(name: str, host: str) -> JSONObject:
    return volume(name, host=host, csi={"driver": "p.x", "volumeHandle": name})


LIMITS = [csi_node(f"n{at}") for at in range(COUNT)]
LOCAL = storage_class("local", "kubernetes.io/no-provisioner")
IN_TWO_ZONES = {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["z3", "z5"]}]}


@pytest.mark.parametrize(
    ("label", "asked", "objects", "feasible"),
    [
        (ZONE, pod(nodeSelector={ZONE: "z3"}), [], ["n3"]),
        (ZONE, pod(nodeSelector={HOST: "n7"}), [], ["n7"]),
        (ZONE, labelled(ZONE, "In", "z3", "z5"), [], ["n3", "n5"]),
        (ZONE, affine(named("n3"), named("n5")), [], ["n3", "n5"]),
        (ZONE, using("c"), [storage_class("made", "p.x", "z3", "z5"), claim("c", "made")], ["n3", "n5"]),
        (ZONE, using("c"), [storage_class("made"), claim("c", "made"), driver(), capacity({"matchLabels": {ZONE: "z3"}})], ["n3"]),
        (ZONE, using("c"), [storage_class("made"), claim("c", "made"), driver(), capacity(IN_TWO_ZONES)], ["n3", "n5"]),
        (ZONE, using("c"), [storage_class("made"), annotated(claim("c", "made"), **{SELECTED: "n4"})], ["n4"]),
        (ZONE, using("c"), [claim("c", bound="v"), volume("v", labels={ZONE: "z3__z5"})], ["n3", "n5"]),
        (ZONE, using("c"), [claim("c", bound="v"), volume("v", labels={OLD_ZONE: "z3"})], ["n3"]),
        (OLD_ZONE, using("c"), [claim("c", bound="v"), volume("v", labels={OLD_ZONE: "z3__z5"})], ["n3", "n5"]),
        (ZONE, using("c"), [claim("c", bound="v"), volume("v", host="n6")], ["n6"]),
        (ZONE, using("c"), [LOCAL, claim("c"), by_hand("v", "n6"), by_hand("w", "n8")], ["n6", "n8"]),
        (ZONE, using("c", "d"), [LOCAL, claim("c"), claim("d"), by_hand("v", "n6"), by_hand("w", "n8"), by_hand("x", "n8")], ["n8"]),
    ],
)
def test_nodes_are_told_apart(label: str, asked: JSONObject, objects: list[JSONObject], feasible: list[str]) -> None:
    there = nodes(label)
    inventory = facts(*there).inventory
    assert inventory is not None
    assert len(inventory.shapes) == 1
    found = placed(asked, *there, *LIMITS, *objects)
    assert found.feasible == feasible
    assert sorted(found.rejected) == sorted({f"n{at}" for at in range(COUNT)} - set(feasible))


def test_nodes_that_nothing_tells_apart_have_one_verdict() -> None:
    found = placed(pod({"cpu": "65"}), *nodes(ZONE))
    assert found.message.startswith("0/40 nodes are available: 40 Insufficient cpu. ")
    assert found.nearest == ["n0 and 39 more have 64 of the 65 requested cpu"]
