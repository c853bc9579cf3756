"""Claims that are created together with pods are bound as the API server and controllers bind them, before the pod is placed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, node
from tests.placement.test_volumes import ELSEWHERE, HOST, NONE_FREE, UNBOUND, ZONE, claim, storage_class, volume
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.request_pods import placed

KNOWN = frozenset(
    {
        *(("", kind) for kind in ("Node", "PersistentVolume", "PersistentVolumeClaim")),
        *(("storage.k8s.io", kind) for kind in ("StorageClass", "CSIDriver", "CSINode")),
    }
)
NODES = (node("n1", labels={ZONE: "z1"}), node("n2", labels={ZONE: "z2"}))
DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"


def new(storage: str | None = None, **spec: Any) -> JSONObject:
    """A claim as its author writes it."""
    made = claim("c", storage, **spec)
    del made["status"], made["metadata"]["annotations"]
    return made


def default(found: JSONObject, label: str = DEFAULT_CLASS) -> JSONObject:
    return {**found, "metadata": {**found["metadata"], "annotations": {label: "true"}}}


def classless(host: str = "", **spec: Any) -> JSONObject:
    return volume("v", host=host, storageClassName="", **spec)


def workload(kind: str = "Deployment", volumes: list[JSONObject] | None = None, **spec: Any) -> JSONObject:
    mounted = [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}] if volumes is None else volumes
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container({"cpu": "1"})], "volumes": mounted}}
    metadata = {"name": "w", "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": {"template": template, **spec}}


def facts(*objects: JSONObject, beside: tuple[JSONObject, ...] = ()) -> Facts:
    """A cluster of these objects, in which all kinds that placement reads are known."""
    return from_objects([*NODES, *objects], Definitions(), beside=beside, extent=Extent(KNOWN))


def placement(known: Facts, *made: JSONObject, config: Configuration = DEFAULT) -> Placement:
    found = placed(made, known, config, "default")
    assert found is not None
    return found[0]


LATER, AT_ONCE = storage_class("later", "p.x", "z1"), storage_class("now", "p.x", "z2", mode="Immediate")
LOCAL = storage_class("local", "kubernetes.io/no-provisioner", mode="Immediate")


@pytest.mark.parametrize(
    ("asked", "objects", "rejected"),
    [
        (new(), [], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new(""), [default(LATER)], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new(), [LATER], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new(), [default(LATER)], {"n2": [NONE_FREE]}),
        (new(), [default(LATER, "storageclass.beta.kubernetes.io/is-default-class")], {"n2": [NONE_FREE]}),
        (new("later"), [LATER], {"n2": [NONE_FREE]}),
        (new("now"), [AT_ONCE], {"n1": [ELSEWHERE]}),
        (new("gone"), [LATER], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new("local"), [LOCAL], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new("local"), [LOCAL, volume("v", host="n1")], {"n2": [ELSEWHERE]}),
        (new("local"), [LOCAL, volume("v", host="n1"), volume("w", size="5Gi", host="n2")], {"n1": [ELSEWHERE]}),
        (new("local", size="20Gi"), [LOCAL, volume("v", host="n1")], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new("gone"), [volume("v", host="n1", storageClassName="gone")], {"n2": [ELSEWHERE]}),
        (new(), [classless("n1")], {"n2": [ELSEWHERE]}),
        (new(), [classless("n1", claimRef={"name": "other", "namespace": "default"})], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new(volumeName="v"), [classless("n2")], {"n1": [ELSEWHERE]}),
        (new(volumeName="v"), [classless("n2", claimRef={"name": "c", "namespace": "default"})], {"n1": [ELSEWHERE]}),
        (new(volumeName="v"), [volume("v", host="n2")], {"n1": [UNBOUND], "n2": [UNBOUND]}),
        (new(volumeName="nope"), [], {"n1": [UNBOUND], "n2": [UNBOUND]}),
    ],
)
@pytest.mark.parametrize("comes_beside", [False, True])
def test_a_new_claim_stands_as_controllers_leave_it(
    asked: JSONObject, objects: list[JSONObject], rejected: dict[str, list[str]], comes_beside: bool
) -> None:
    found = placement(facts(*objects, beside=(asked,)), workload()) if comes_beside else placement(facts(*objects), asked, workload())
    assert found.rejected == rejected
    assert list(found.unready) == (["c"] if UNBOUND in str(rejected) else [])


def test_two_claims_do_not_get_the_same_volume() -> None:
    second = {**new("local"), "metadata": {"name": "d", "namespace": "default"}}
    both = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in ("c", "d")]
    assert placement(facts(LOCAL, volume("v")), new("local"), second, workload(volumes=both)).unready == ["d"]


def test_a_claim_that_is_stored_stands_as_it_is() -> None:
    stored = claim("c", bound="v")
    found = placement(facts(stored, volume("v", host="n2")), new(), workload())
    assert found.feasible == ["n2"]


@pytest.mark.parametrize(
    ("objects", "known", "unchecked"),
    [
        ([], frozenset({("", "Node")}), "PersistentVolumeClaim c: the cluster's storage classes aren't known"),
        (
            [default(storage_class("local", "kubernetes.io/no-provisioner", mode="Immediate"))],
            frozenset({("", "Node")}),
            "PersistentVolumeClaim c: the cluster's volumes aren't known",
        ),
        (
            [default(AT_ONCE)],
            KNOWN,
            "PersistentVolumeClaim c: class now creates the volume before the pod has a node, so which nodes reach it isn't known",
        ),
    ],
)
def test_what_can_not_be_told_of_a_claim_is_said(objects: list[JSONObject], known: frozenset[tuple[str, str]], unchecked: str) -> None:
    found = placement(from_objects([*NODES, *objects], Definitions(), extent=Extent(known)), new(), workload())
    assert found.fits
    assert found.unchecked == [unchecked]


def test_the_claims_of_a_stateful_set_are_made_with_its_pods() -> None:
    templates = [{"metadata": {"name": "v"}, "spec": new("later")["spec"]}]
    assert placement(facts(LATER), workload("StatefulSet", volumeClaimTemplates=templates)).feasible == ["n1"]
    templates = [{"metadata": {"name": "v"}, "spec": new("gone")["spec"]}]
    assert placement(facts(LATER), workload("StatefulSet", volumeClaimTemplates=templates)).unready == ["v-w-0"]


def test_a_claim_of_a_pod_s_own_is_made_with_it() -> None:
    own = [{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": new("later")["spec"]}}}]
    assert placement(facts(LATER), workload(volumes=own)).feasible == ["n1"]


def test_without_a_claim_that_is_not_there_the_rest_is_placed() -> None:
    found = placement(facts(), workload())
    assert (list(found.absent), list(found.unready), found.feasible) == (["c"], [], [])
    assert found.apart_from_claims is not None
    assert found.apart_from_claims.feasible == ["n1", "n2"]


def csi_driver(*, attach: bool) -> JSONObject:
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "p.x"}, "spec": {"attachRequired": attach}}


ANYWHERE = storage_class("anywhere", "p.x")
SHARED = "its 3 replicas share claim c, which only one node at a time can use"


@pytest.mark.parametrize(
    ("modes", "objects", "cpu", "told"),
    [
        (["ReadWriteOnce"], [], "1", f"{SHARED}; replicas on another node don't start"),
        (["ReadWriteOnce"], [], "30", f"{SHARED}, and the largest node has room for 2"),
        (["ReadWriteOnce"], [csi_driver(attach=False)], "1", ""),
        (["ReadWriteOnce"], [csi_driver(attach=True)], "1", f"{SHARED}; replicas on another node don't start"),
        (["ReadWriteMany"], [], "1", ""),
        (["ReadWriteOncePod"], [], "1", "its 3 replicas share claim c, which is ReadWriteOncePod: only one of them can run"),
    ],
)
def test_replicas_that_share_a_claim_of_one_node_may_not_all_run(modes: list[str], objects: list[JSONObject], cpu: str, told: str) -> None:
    asked = workload(replicas=3)
    asked["spec"]["template"]["spec"]["containers"] = [container({"cpu": cpu})]
    assert placement(facts(ANYWHERE, *objects), new("anywhere", accessModes=modes), asked).apart == told


def test_replicas_on_the_one_node_that_a_volume_is_on_share_it() -> None:
    bound = [claim("c", bound="v"), volume("v", host="n1", csi={"driver": "p.x", "volumeHandle": "v"})]
    assert placement(facts(*bound), workload(replicas=3)).apart == ""
    assert placement(facts(*bound), workload(replicas=100)).apart.endswith("the largest node has room for 64")


def test_replicas_of_a_stateful_set_have_claims_of_their_own() -> None:
    templates = [{"metadata": {"name": "v"}, "spec": new("anywhere")["spec"]}]
    assert placement(facts(ANYWHERE), workload("StatefulSet", replicas=3, volumeClaimTemplates=templates)).apart == ""


def test_an_expected_node_that_reaches_the_volume_is_told() -> None:
    config = parse({"expectedNodes": {"n3": {"labels": {ZONE: "z3"}}}})
    found = placement(facts(storage_class("far", "p.x", "z3")), new("far"), workload(), config=config)
    assert found.on_expected == ["n3"]


def test_the_node_that_would_do_reaches_the_volume() -> None:
    found = placement(facts(storage_class("far", "p.x", "z3")), new("far"), workload())
    assert found.wish is not None
    assert found.wish.labels == {ZONE: "z3"}
    found = placement(facts(claim("c", bound="v"), volume("v", host="gone")), workload())
    assert found.wish is not None
    assert (found.wish.name, found.wish.labels) == ("gone", {})
    assert HOST not in found.wish.labels
