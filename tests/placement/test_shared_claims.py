"""Whether replicas that share a claim can all run, judged by whole objects and by the parts of them that are kept from a cluster."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.placement.clusters import container, node
from tests.placement.test_new_claims import ANYWHERE, KNOWN, LATER, NODES, csi_driver, default, new, placement, workload
from tests.placement.test_volumes import NONE_FREE, claim, volume
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.read_fields import ATTACHED
from weighbridge.policies.ground.objects import JSONObject

START = "its {} replicas share claim {}, which only one node at a time can use"
SECOND_NODE = f"{START.format(2, 'c')}; replicas on another node don't start"


def apart(objects: Iterable[JSONObject], *made: JSONObject, known: frozenset[tuple[str, str]] = KNOWN) -> str:
    """The findings on a workload; the kept parts of the objects must give the same ones."""
    whole = [*NODES, *objects]
    told = [
        placement(from_objects(held, Definitions(), extent=Extent(known)), *made).apart for held in (whole, [trim(obj) for obj in whole])
    ]
    assert told[0] == told[1]
    return told[0]


def bound(source: JSONObject, *modes: str, held: tuple[str, ...] = ("ReadWriteOnce",)) -> list[JSONObject]:
    """A claim with its volume, which has this source."""
    return [claim("c", bound="v", accessModes=list(modes or held)), volume("v", **{"accessModes": list(held), **source})]


@pytest.mark.parametrize("source", ATTACHED)
def test_an_in_tree_volume_that_is_attached_is_on_one_node(source: str) -> None:
    assert apart(bound({source: {"volumeID": "x", "fsType": "ext4"}}), workload(replicas=2)) == SECOND_NODE
    assert apart(bound({source: {}}), workload(replicas=2)) == SECOND_NODE


@pytest.mark.parametrize("source", ["nfs", "hostPath", "local", "cephfs", "glusterfs"])
def test_an_in_tree_volume_that_is_only_mounted_may_be_on_many(source: str) -> None:
    assert apart(bound({source: {"path": "/x"}}), workload(replicas=2)) == ""


@pytest.mark.parametrize(
    ("attach", "is_known", "told"),
    [(True, True, SECOND_NODE), (False, True, ""), (None, True, SECOND_NODE), (None, False, "")],
)
def test_a_driver_attaches_unless_it_says_otherwise(attach: bool | None, is_known: bool, told: str) -> None:
    objects = bound({"csi": {"driver": "p.x", "volumeHandle": "v"}})
    drivers = [] if attach is None else [csi_driver(attach=attach)]
    known = KNOWN if is_known else KNOWN - {("storage.k8s.io", "CSIDriver")}
    assert apart([*objects, *drivers], workload(replicas=2), known=known) == told


def test_a_driver_without_a_name_attaches_nothing() -> None:
    assert apart(bound({"csi": {"volumeHandle": "v"}}), workload(replicas=2)) == ""


@pytest.mark.parametrize(
    ("claimed", "held", "told"),
    [
        (["ReadWriteOnce"], ("ReadWriteOnce",), SECOND_NODE),
        (["ReadWriteOnce"], ("ReadWriteOnce", "ReadWriteMany"), ""),
        (["ReadWriteOnce"], ("ReadOnlyMany", "ReadWriteOnce"), ""),
        (["ReadWriteMany"], ("ReadWriteMany",), ""),
        (["ReadWriteOncePod"], ("ReadWriteOncePod",), "its 2 replicas share claim c, which is ReadWriteOncePod: only one of them can run"),
    ],
)
def test_the_modes_of_the_volume_count_and_those_of_the_claim_for_one_pod(claimed: list[str], held: tuple[str, ...], told: str) -> None:
    assert apart(bound({"csi": {"driver": "p.x", "volumeHandle": "v"}}, *claimed, held=held), workload(replicas=2)) == told


@pytest.mark.parametrize(
    ("replicas", "cpu", "told"),
    [
        (1, "30", ""),
        (2, "32", "; replicas on another node don't start"),
        (2, "33", ", and the largest node has room for 1"),
        (3, "21", "; replicas on another node don't start"),
        (3, "22", ", and the largest node has room for 2"),
        (110, "0", "; replicas on another node don't start"),
        (111, "0", ", and the largest node has room for 110"),
    ],
)
def test_one_node_may_have_room_for_all_replicas(replicas: int, cpu: str, told: str) -> None:
    asked = workload(replicas=replicas)
    asked["spec"]["template"]["spec"]["containers"] = [container({"cpu": cpu})]
    expected = START.format(replicas, "c") + told if told else ""
    assert apart([ANYWHERE], new("anywhere"), asked) == expected


def test_the_room_of_the_largest_node_counts() -> None:
    asked = workload(replicas=9)
    asked["spec"]["template"]["spec"]["containers"] = [container({"cpu": "20", "memory": "1Gi"})]
    large = node("large", {"cpu": "128"})
    assert apart([ANYWHERE, large], new("anywhere"), asked) == f"{START.format(9, 'c')}, and the largest node has room for 6"


def test_a_claim_for_one_pod_is_told_before_one_for_one_node() -> None:
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in ("c", "d")]
    made = [new("anywhere"), {**new("anywhere", accessModes=["ReadWriteOncePod"]), "metadata": {"name": "d", "namespace": "default"}}]
    told = "its 2 replicas share claim d, which is ReadWriteOncePod: only one of them can run"
    assert apart([ANYWHERE], *made, workload(replicas=2, volumes=volumes)) == told


@pytest.mark.parametrize("label", ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"])
def test_the_default_class_is_known_by_what_is_kept_of_it(label: str) -> None:
    facts = from_objects(map(trim, [*NODES, default(LATER, label)]), Definitions(), extent=Extent(KNOWN))
    assert placement(facts, new(), workload()).rejected == {"n2": [NONE_FREE]}


def a_group(leader: str, worker: str, size: int = 2, on: tuple[str, ...] = ("leader", "worker")) -> JSONObject:
    """A LeaderWorkerSet whose leader and workers ask for CPU; some of them mount the claim."""
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]
    templates = {}
    for role, cpu in (("leader", leader), ("worker", worker)):
        spec = {"containers": [container({"cpu": cpu})], **({"volumes": volumes} if role in on else {})}
        templates[f"{role}Template"] = {"spec": spec}
    return {"kind": "LeaderWorkerSet", "metadata": {"name": "l"}, "spec": {"leaderWorkerTemplate": {"size": size, **templates}}}


@pytest.mark.parametrize(
    ("group", "told"),
    [
        (a_group("40", "40"), "the largest node has room for 1"),
        # A node with 64 CPUs has room for both, or for the leader and more.
        (a_group("30", "30"), "pods on another node don't start"),
        (a_group("1", "40"), "pods on another node don't start"),
        (a_group("40", "40", on=("leader",)), ""),
        (a_group("40", "40", on=("worker",)), ""),
        (a_group("1", "40", 3, on=("worker",)), "the largest node has room for 1"),
        (a_group("40", "40", 1), ""),
    ],
)
def test_the_pods_of_a_group_that_share_a_claim_are_counted_together(group: JSONObject, told: str) -> None:
    found = apart([ANYWHERE], new("anywhere"), group)
    assert told in found
    assert bool(found) is bool(told)
    assert not told or found.startswith("its 2 pods share claim c, which only one node at a time can use")
