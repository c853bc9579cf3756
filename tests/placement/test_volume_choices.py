"""Which volume a claim gets, for which claim a volume is reserved, and what is known about a class that makes volumes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import node, placed
from tests.placement.test_volume_limits import BOUND, IN_Z1, capacity, csi_node, driver
from tests.placement.test_volumes import CLASSES, NODES, NOWHERE, claim, storage_class, using, volume
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.placement.volumes.candidates import candidates, choose, class_name, is_reserved_for, suits, wanted_size


def with_uid(uid: str) -> JSONObject:
    """A claim as stored."""
    found = claim("c")
    return {**found, "metadata": {**found["metadata"], "uid": uid}}


@pytest.mark.parametrize(
    ("holder", "uid", "holds"),
    [
        ({"name": "c", "namespace": "default"}, "1", True),
        ({"name": "c", "namespace": "default"}, "", True),
        ({"name": "c", "namespace": "default", "uid": "1"}, "1", True),
        ({"name": "c", "namespace": "default", "uid": "2"}, "1", False),
        ({"name": "c", "namespace": "default", "uid": "2"}, "", False),
        ({"name": "d", "namespace": "default"}, "1", False),
        ({"name": "c", "namespace": "other"}, "1", False),
        ({"name": "d", "namespace": "other", "uid": "1"}, "1", False),
        ({}, "1", False),
    ],
)
def test_a_volume_is_set_aside_for_the_claim_that_it_names(holder: JSONObject, uid: str, holds: bool) -> None:
    held, asked = volume("v", host="n2", claimRef=holder), with_uid(uid)
    assert is_reserved_for(held, asked) is holds
    rejected = {"n1": NOWHERE["n1"], "bare": NOWHERE["bare"]} if holds or not holder else NOWHERE
    assert placed(using("c"), *NODES, *CLASSES, asked, held).rejected == rejected


def test_the_smallest_volume_that_can_be_reached_is_chosen() -> None:
    asked = claim("c")
    volumes = [volume("big", "30Gi"), volume("small", "10Gi"), volume("middle", "20Gi"), volume("same", "10Gi")]

    def chosen(found: JSONObject | None) -> str:
        return found["metadata"]["name"] if found is not None else ""

    assert chosen(choose(asked, volumes)) == "small"
    assert chosen(choose(asked, volumes, taken={"small"})) == "same"
    assert chosen(choose(asked, volumes, taken={"small", "same"})) == "middle"
    assert chosen(choose(asked, volumes, reaches=lambda found: found["metadata"]["name"] == "big")) == "big"
    assert choose(asked, volumes, reaches=lambda _: False) is None
    assert choose(asked, []) is None
    kept = volume("kept", "90Gi", claimRef={"name": "c", "namespace": "default"})
    assert chosen(choose(asked, [*volumes, kept])) == "kept"
    assert chosen(choose(asked, [*volumes, kept], taken={"kept"})) == "small"
    assert choose(asked, [*volumes, kept], reaches=lambda found: found is not kept) is None


def test_what_is_kept_for_a_claim_comes_before_what_nobody_has() -> None:
    kept = volume("kept", claimRef={"name": "c", "namespace": "default"})
    released = {**kept, "metadata": {"name": "released"}, "status": {"phase": "Released"}}
    unasked = {**volume("pending"), "status": {"phase": "Pending"}}
    others = volume("others", claimRef={"name": "d", "namespace": "default"})
    small, elsewhere = volume("small", "1Gi"), volume("elsewhere", storageClassName="fast")
    store = ObjectStore([small, others, unasked, released, elsewhere, volume("free"), kept])
    found = candidates(claim("c", size="2Gi"), "local", store)
    assert [each["metadata"]["name"] for each in found] == ["released", "kept", "free"]


@pytest.mark.parametrize(
    ("asked", "more", "does"),
    [
        ("10Gi", {}, True),
        ("10737418240", {}, True),
        ("10737418241", {}, False),
        ("10Gi", {"volumeMode": "Block"}, False),
        ("10Gi", {"volumeAttributesClassName": "gold"}, False),
    ],
)
def test_a_volume_does_for_a_claim(asked: str, more: dict[str, Any], does: bool) -> None:
    there = volume("v", **more)
    assert suits(there, claim("c", size=asked)) is does
    assert not suits({**there, "metadata": {"name": "v", "deletionTimestamp": "2026-01-01T00:00:00Z"}}, claim("c", size=asked))


def test_a_claim_says_its_class_in_two_ways_and_its_size() -> None:
    annotated = claim("c", "local")
    annotated["metadata"]["annotations"] = {"volume.beta.kubernetes.io/storage-class": "fast"}
    assert (class_name(annotated), class_name(claim("c", "local")), class_name(claim("c", None))) == ("fast", "local", "")
    annotated["metadata"]["annotations"] = {"volume.beta.kubernetes.io/storage-class": ""}
    assert class_name(annotated) == ""
    assert wanted_size(claim("c", size="3Gi")).compare(Quantity.parse("3Gi")) == 0
    assert wanted_size({"kind": "PersistentVolumeClaim", "spec": {}}).compare(Quantity.from_int(0)) == 0


MADE, CSI = storage_class("made"), csi_node("n")
OTHER_DRIVER: JSONObject = {**driver(), "metadata": {"name": "other.x"}}
UNKNOWN = ["StorageClass made: whether its driver has room left isn't known"]


@pytest.mark.parametrize(
    ("size", "objects", "unchecked"),
    [
        ("5Gi", [], UNKNOWN),
        ("5Gi", [OTHER_DRIVER], []),
        ("5Gi", [driver(counts=False)], []),
        ("5Gi", [driver()], UNKNOWN),
        ("5Gi", [driver(), capacity(IN_Z1)], []),
        ("", [], []),
        ("", [driver()], []),
    ],
)
def test_room_is_asked_for_where_the_driver_keeps_account(size: str, objects: list[JSONObject], unchecked: list[str]) -> None:
    asked = claim("c", "made", size) if size else claim("c", "made", resources={})
    found = placed(using("c"), node(labels=IN_Z1["matchLabels"]), CSI, MADE, asked, *objects)
    assert (found.unchecked, found.rejected) == (unchecked, {})


def test_room_is_asked_for_only_where_a_class_makes_volumes() -> None:
    made_by_hand = storage_class("local", "kubernetes.io/no-provisioner")
    assert placed(using("c"), node(), CSI, made_by_hand, claim("c"), volume("v")).unchecked == []


def test_labels_that_must_all_be_there_say_where_room_is() -> None:
    two = {"matchLabels": {"a": "1", "b": "2"}}
    nodes = [
        node("both", labels={"a": "1", "b": "2"}),
        node("one", labels={"a": "1"}),
        node("other", labels={"a": "2", "b": "1"}),
        node("third", labels={"c": "3"}),
        node("more", labels={"b": "2", "a": "1", "c": "4"}),
    ]
    third = {**capacity({"matchLabels": {"c": "3"}}), "metadata": {"name": "third", "namespace": "kube-system"}}
    objects = [*(csi_node(each["metadata"]["name"]) for each in nodes), MADE, claim("c", "made", "10Gi"), driver()]
    assert placed(using("c"), *nodes, *objects, capacity(two)).feasible == ["both", "more"]
    assert placed(using("c"), *nodes, *objects, capacity(two), third).feasible == ["both", "third", "more"]
    assert placed(using("c"), *nodes, *objects, {**capacity(two), "storageClassName": "x"}, third).feasible == ["third"]


def test_a_node_takes_exactly_as_many_volumes_as_it_says() -> None:
    nodes = [node("one"), node("two"), node("silent")]
    limits = [csi_node("one", p=1), csi_node("two", p=2), csi_node("silent", p=None)]
    found = placed(using("a", "b", "same", "other"), *nodes, *limits, *BOUND)
    assert found.feasible == ["two", "silent"]
    assert found.rejected == {"one": ["node(s) exceed max volume count"]}
