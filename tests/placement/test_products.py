"""Nearest misses that name accelerators: with a count, after a device id, and if labels name an accelerator that no resource offers."""

from __future__ import annotations

import pytest

from tests.placement.clusters import PLENTY, labelled, node, placed, pod
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place
from weighbridge.webhook.inputs.facts import bundled_definitions

GPU = "amd.com/gpu"
ID, BETA_ID = f"{GPU}.device-id", f"beta.{GPU}.device-id"
PRODUCT = "nvidia.com/gpu.product"
MI300X, MI325X = {ID: "74a1"}, {ID: "74a5"}
H100 = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}


@pytest.mark.parametrize(
    ("asked", "nodes", "lines"),
    [
        pytest.param(
            pod({GPU: "8"}),
            [node("gpu-7", {GPU: "4"}, labels=MI300X)],
            ["gpu-7 has 4 of the 8 requested amd.com/gpu (AMD Instinct MI300X)"],
            id="with a count",
        ),
        pytest.param(
            pod({GPU: "8"}),
            [node("a", {GPU: "4"}, labels=MI300X), node("b", {GPU: "4"}, labels=MI300X), node("c", {GPU: "4"}, labels=MI325X)],
            [
                "a and 1 more have 4 of the 8 requested amd.com/gpu (AMD Instinct MI300X)",
                "c has 4 of the 8 requested amd.com/gpu (AMD Instinct MI325X)",
            ],
            id="each product for itself",
        ),
        pytest.param(
            pod({GPU: "8"}),
            [node("a", {GPU: "4"}, labels=MI300X, unschedulable=True)],
            [f"a doesn't fit for 2 reasons: it has 4 of the 8 requested {GPU} (AMD Instinct MI300X), and no node has 8; it is cordoned"],
            id="among other causes",
        ),
        pytest.param(
            pod({"nvidia.com/gpu": "1"}),
            [node("a", {GPU: "8"}, labels=MI300X)],
            ["no node has nvidia.com/gpu; a has 8 amd.com/gpu (AMD Instinct MI300X)", "apart from that, a would fit"],
            id="another vendor's",
        ),
        pytest.param(
            pod({GPU: "1"}),
            [node("a", labels=MI300X), node("b", labels=MI300X), node("c")],
            [
                "no node has amd.com/gpu, though a and 1 more have AMD Instinct MI300X by the label amd.com/gpu.device-id=74a1",
                "apart from that, a and 2 more would fit",
            ],
            id="labelled but not served",
        ),
        pytest.param(
            pod({"nvidia.com/gpu": "1"}),
            [node("a", labels={"feature.node.kubernetes.io/pci-0302_10de.present": "true"})],
            [
                "no node has nvidia.com/gpu, though a has an NVIDIA GPU by the label feature.node.kubernetes.io/pci-0302_10de.present=true",
                "apart from that, a would fit",
            ],
            id="on the bus but not served",
        ),
        pytest.param(
            pod({"nvidia.com/mig-1g.10gb": "1"}),
            [node("a", {"nvidia.com/gpu": "8"}, labels=H100)],
            [
                "no node has nvidia.com/mig-1g.10gb; a has 8 nvidia.com/gpu (NVIDIA H100-80GB-HBM3), which MIG can cut into 1g.10gb",
                "apart from that, a would fit",
            ],
            id="a slice that could be made",
        ),
        pytest.param(
            labelled(ID, "In", "74a1"),
            [node("a", labels=MI325X)],
            [
                f"1 node has the label {ID}=74a5 (AMD Instinct MI325X), none has {ID}=74a1 (AMD Instinct MI300X)",
                "apart from that, a would fit",
            ],
            id="device ids by name",
        ),
        pytest.param(
            labelled(ID, "In", "74a1"),
            [node("a", labels={f"{BETA_ID}.74a1": "8"}), node("b", labels={f"{BETA_ID}.74a1": "8"})],
            [
                "no node has the label amd.com/gpu.device-id; a and 1 more have AMD Instinct MI300X by beta.amd.com/gpu.device-id.74a1=8",
                "apart from that, a and 1 more would fit",
            ],
            id="the older spelling alone",
        ),
        pytest.param(
            pod(nodeSelector={"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}),
            [node("a", labels={"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-SHARED"})],
            [
                f"1 node has the label {PRODUCT}=NVIDIA-H100-80GB-HBM3-SHARED, none has {PRODUCT}=NVIDIA-H100-80GB-HBM3",
                "apart from that, a would fit",
            ],
            id="the same product, shared",
        ),
        pytest.param(
            pod(nodeSelector={ID: "74a1", "zone": "x"}),
            [node("a", labels={**MI325X, "zone": "x"}), node("b", labels={**MI300X, "zone": "y"})],
            [
                "a would fit, but it has amd.com/gpu.device-id=74a5 (AMD Instinct MI325X) instead of 74a1 (AMD Instinct MI300X)",
                "b would fit, but it has zone=y instead of x",
            ],
            id="a label of another node",
        ),
    ],
)
def test_the_nearest_misses_name_products(asked: JSONObject, nodes: list[JSONObject], lines: list[str]) -> None:
    assert placed(asked, *nodes).nearest == lines


def test_the_inventory_knows_which_nodes_have_a_model() -> None:
    nodes = [node("a", labels=MI300X), node("b", labels={f"{BETA_ID}.74a1": "8"}), node("c", labels=H100), node("d")]
    inventory = from_objects(nodes, bundled_definitions()).inventory
    assert inventory is not None
    found = {key: [inventory.example(shape).name for shape in shapes] for key, shapes in inventory.accelerators.items()}
    assert found == {("AMD", "MI300X"): ["a", "b"], ("NVIDIA", "H100"): ["c"]}


def test_a_pool_that_leaves_labels_open_is_named_once() -> None:
    from weighbridge.policies.facts.expected import nodes_of_pools

    requirement = {"key": "zone", "operator": "In", "values": ["a", "b"]}
    spec = {"template": {"spec": {"requirements": [requirement]}}}
    pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "p"}, "spec": spec}
    asked = labelled("zone", "In", "a", "b")
    known = from_objects([node("here", PLENTY), pool], bundled_definitions())
    expected = nodes_of_pools(known.objects, asked)
    assert len(expected) == 2
    assert place(asked, known, expected=expected).on_expected == ["NodePool p"]
