"""Resources about which HAMi's extender decides: they are left to it if the cluster shows that it has HAMi, and refused otherwise."""

from __future__ import annotations

import pytest

from tests.placement.clusters import facts, node, pod
from weighbridge.policies.facts.hami import HOW_TO_SHOW, managed
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.redaction import Redaction
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place
from weighbridge.webhook.cluster.transform import Transform

GPU, MEMORY = "nvidia.com/gpu", "nvidia.com/gpumem"
ASKED = pod({GPU: "1", MEMORY: "8000"})
PLAIN = node("n", {GPU: "10"})
REGISTERED: JSONObject = {
    **PLAIN,
    "metadata": {**PLAIN["metadata"], "annotations": {"hami.io/node-nvidia-register": "GPU-1,10,24576,100,X,0,true:"}},
}
SCHEDULER: JSONObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "vgpu-scheduler", "namespace": "gpu", "labels": {"app.kubernetes.io/component": "hami-scheduler"}},
    "spec": {"template": {"spec": {"containers": [{"name": "c", "image": "projecthami/hami:v2.10.0"}]}}},
}
WEBHOOK: JSONObject = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "MutatingWebhookConfiguration",
    "metadata": {"name": "gpu-webhook"},
    "webhooks": [{"name": "vgpu.hami.io"}],
}


@pytest.mark.parametrize(
    "cluster",
    [
        pytest.param([REGISTERED], id="a node"),
        pytest.param([PLAIN, SCHEDULER], id="the scheduler"),
        pytest.param([PLAIN, WEBHOOK], id="the webhook"),
        pytest.param([PLAIN, {**SCHEDULER, "metadata": {"name": "x-hami-scheduler"}}], id="the scheduler by its name"),
    ],
)
def test_a_sign_of_hami_leaves_its_resources_to_it(cluster: list[JSONObject]) -> None:
    found = place(ASKED, facts(*cluster))
    assert found.fits
    assert found.unchecked == ["HAMi's scheduler decides about nvidia.com/gpumem"]


@pytest.mark.parametrize(
    "cluster",
    [
        pytest.param([PLAIN], id="nothing"),
        pytest.param([PLAIN, {**SCHEDULER, "metadata": {"name": "scheduler"}}], id="another Deployment"),
        pytest.param([PLAIN, {**WEBHOOK, "webhooks": [{"name": "other"}]}], id="another webhook"),
    ],
)
def test_without_a_sign_the_refusal_says_how_to_give_one(cluster: list[JSONObject]) -> None:
    found = place(ASKED, facts(*cluster))
    assert found.reasons == "0/1 nodes are available: 1 Insufficient nvidia.com/gpumem"
    assert found.nearest == [
        f"no node has nvidia.com/gpumem; {HOW_TO_SHOW}",
        "apart from that, n would fit",
    ]


def test_the_other_filters_hold() -> None:
    found = place(pod({GPU: "1", MEMORY: "8000", "cpu": "500"}), facts(REGISTERED))
    assert found.reasons == "0/1 nodes are available: 1 Insufficient cpu"


def test_what_a_node_lists_is_counted() -> None:
    listed: JSONObject = {**REGISTERED, "status": {"allocatable": {**REGISTERED["status"]["allocatable"], MEMORY: "4000"}}}
    assert place(ASKED, facts(listed)).reasons == "0/1 nodes are available: 1 Insufficient nvidia.com/gpumem"


@pytest.mark.parametrize(
    ("resource", "is_managed"),
    [
        ("nvidia.com/gpumem-percentage", True),
        ("nvidia.com/gpucores", True),
        ("amd.com/gpumem", True),
        ("huawei.com/Ascend910B4-1-memory", True),
        ("iluvatar.ai/BI-V100.vMem", True),
        ("nvidia.com/gpu", False),
        ("nvidia.com/gpumemory", False),
        ("huawei.com/Ascend910A", False),
        # Nodes list these.
        ("volcano.sh/vgpu-memory", False),
        ("aliyun.com/gpu-mem", False),
        ("gpumem", False),
    ],
)
def test_the_resources_of_the_extender(resource: str, is_managed: bool) -> None:
    assert managed([resource]) == ([resource] if is_managed else [])


@pytest.mark.parametrize("keep", [trim, Transform(), Redaction([REGISTERED]).redact], ids=["trimmed", "followed", "redacted"])
def test_the_sign_on_a_node_is_kept_without_the_ids_of_its_gpus(keep: object) -> None:
    assert callable(keep)
    kept = keep(REGISTERED)
    assert kept["metadata"]["annotations"] == {"hami.io/node-nvidia-register": '[{"devmem":24576,"health":true}]'}
    assert place(ASKED, facts(kept)).unchecked == ["HAMi's scheduler decides about nvidia.com/gpumem"]


def test_of_the_scheduler_s_deployment_the_sign_is_kept() -> None:
    kept = Transform()(SCHEDULER)
    assert kept is not None
    assert "template" not in str(kept)
    assert place(ASKED, facts(PLAIN, kept)).fits
