"""Whether pods that fit no node yet may run later: which changes may bring room for them, and which surely don't."""

from __future__ import annotations

import pytest

from tests.placement.clusters import container, facts, node
from tests.placement.test_new_claims import facts as known
from tests.placement.test_new_claims import new, workload
from tests.placement.test_volumes import storage_class, volume
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Outlook, PodPlacement
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.request_pods import placed

GPU = "amd.com/gpu"
NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
RESERVED = {"key": "reserved", "effect": "NoSchedule"}
LOCAL = storage_class("local", "kubernetes.io/no-provisioner")


def asking(wanted: dict[str, str], name: str = "w", **spec: object) -> JSONObject:
    """A Deployment whose pods have one container."""
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [container(wanted)], **spec}}
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": template}}


def told(*made: JSONObject, nodes: tuple[JSONObject, ...] = (node(),), config: Configuration = DEFAULT) -> PodPlacement:
    found = placed(made, facts(*nodes), config, "default")
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("wanted", "outlook"),
    [
        ({GPU: "7"}, Outlook.LATER),
        ({GPU: "8"}, Outlook.LATER),
        ({GPU: "9"}, Outlook.NEVER),
        ({"nvidia.com/gpu": "1"}, Outlook.NEVER),
        ({GPU: "9", "nvidia.com/gpu": "1"}, Outlook.NEVER),
        ({GPU: "8", "nvidia.com/gpu": "1"}, Outlook.LATER),
        ({"cpu": "65"}, Outlook.NEVER),
        ({"cpu": "64"}, Outlook.NOW),
    ],
    ids=str,
)
def test_a_node_that_may_come_is_waited_for_as_far_as_it_has_what_is_asked_for(wanted: dict[str, str], outlook: Outlook) -> None:
    assert told(asking(wanted), config=parse({"expectedResources": {GPU: 8}})).outlook is outlook
    assert told(asking(wanted)).outlook is (Outlook.NOW if outlook is Outlook.NOW else Outlook.NEVER)


@pytest.mark.parametrize(
    ("there", "outlook"),
    [
        (node("a"), Outlook.NOW),
        (node("a", unschedulable=True), Outlook.LATER),
        (node("a", taints=[NOT_READY]), Outlook.LATER),
        (node("a", taints=[RESERVED]), Outlook.NEVER),
        (node("a", taints=[NOT_READY, RESERVED]), Outlook.NEVER),
        (node("a", {"cpu": "1"}, unschedulable=True), Outlook.NEVER),
    ],
)
def test_a_node_that_takes_no_pods_for_a_while_is_waited_for(there: JSONObject, outlook: Outlook) -> None:
    assert told(asking({"cpu": "2"}), nodes=(there,)).outlook is outlook


@pytest.mark.parametrize(("wanted", "outlook"), [("8", Outlook.LATER), ("9", Outlook.NEVER)])
def test_a_declared_node_is_waited_for(wanted: str, outlook: Outlook) -> None:
    config = parse({"expectedNodes": {"gpu-1": {"allocatable": {GPU: "8"}}}})
    assert told(asking({GPU: wanted}), config=config).outlook is outlook


@pytest.mark.parametrize(
    ("objects", "outlook"),
    [
        ([], Outlook.LATER),
        ([new("gone")], Outlook.LATER),
        ([LOCAL, new("local")], Outlook.LATER),
        ([LOCAL, new("local"), volume("v", host="n1")], Outlook.NOW),
        ([storage_class("later", "p.x", "z9"), new("later")], Outlook.LATER),
    ],
)
def test_claims_and_volumes_may_come(objects: list[JSONObject], outlook: Outlook) -> None:
    found = placed([workload()], known(*objects), DEFAULT, "default")
    assert found is not None
    assert found[1].outlook is outlook


def test_hardware_that_is_missing_beside_a_claim_is_not_waited_for() -> None:
    asked = workload()
    asked["spec"]["template"]["spec"]["containers"] = [container({GPU: "1"})]
    stored = {**new("gone"), "status": {"phase": "Pending"}}
    found = placed([asked], known(stored), DEFAULT, "default")
    assert found is not None
    assert found[0].unready == ["c"]
    assert found[1].outlook is Outlook.NEVER


def test_a_pod_that_nothing_starts_is_waited_for() -> None:
    assert told(asking({GPU: "1"}, schedulingGates=[{"name": "quota"}])).outlook is Outlook.LATER


def test_the_pod_that_finds_no_node_is_the_one_that_is_told_of() -> None:
    small, large, larger = asking({"cpu": "1"}, "small"), asking({"cpu": "65"}, "large"), asking({"cpu": "66"}, "larger")
    assert told(small, large, larger).pod == "large"
    assert told(larger, small, large).pod == "larger"
    assert told(small, asking({"cpu": "2"}, "medium")).pod == "small"
    assert told(small).pod == ""
    assert placed([], facts(node()), DEFAULT, "default") is None
