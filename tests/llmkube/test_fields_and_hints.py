"""The field and the hint of a finding, for rules that choose among several."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.service.predicting import GROUP, NAMESPACE, a_model
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

MODEL = a_model(source="org/model", format="safetensors", hardware={"gpu": {"count": 1}})


def found(rule: str, spec: JSONObject, *cluster: JSONObject) -> list[Finding]:
    """The findings of a rule on a new service of Model m."""
    facts: Facts = from_objects(cluster, bundled_definitions())
    gvk = GroupVersionKind(GROUP, "v1alpha1", "InferenceService")
    metadata = {"name": "svc", "namespace": NAMESPACE}
    obj = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": metadata, "spec": {"modelRef": "m", **spec}}
    decision = decide(Request("1", Operation.CREATE, gvk, obj, namespace=NAMESPACE, name="svc"), facts, DEFAULT)
    return [finding for finding in decision.findings if finding.rule == rule]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"cpuOffloadGB": 8}, ["spec.vllmConfig.cpuOffloadGB"]),
        ({"speculative": {"enabled": True}}, ["spec.vllmConfig.speculative"]),
    ],
)
def test_doubts_about_vllm_name_the_setting(settings: JSONObject, named: list[str]) -> None:
    findings = found("LLMKUBE-050", {"runtime": "vllm", "vllmConfig": settings}, MODEL)
    assert [field(finding.path) for finding in findings] == named


def node(**offers: str) -> JSONObject:
    gpus = {f"{vendor}.com/gpu": amount for vendor, amount in offers.items()}
    allocatable = {"cpu": "64", "memory": "512Gi", "pods": "110", **gpus}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": allocatable}}


@pytest.mark.parametrize(
    ("count", "offers", "hint"),
    [
        (4, {"nvidia": "2"}, "request at most 2"),
        (3, {"nvidia": "2"}, "request at most 2"),
        (1, {"amd": "2"}, "set gpu.resourceName of the Model to a resource that the nodes offer"),
    ],
)
def test_too_many_gpus_are_told_how_many_there_are(count: int, offers: dict[str, Any], hint: str) -> None:
    (finding,) = found("LLMKUBE-082", {}, a_model(hardware={"gpu": {"count": count}}), node(**offers))
    assert finding.message.startswith(f"no node can give a pod {count} nvidia.com/gpu")
    assert finding.hint.startswith(hint)


def test_as_many_gpus_as_a_node_has_are_not_too_many() -> None:
    model = a_model(hardware={"gpu": {"count": 2}})
    assert found("LLMKUBE-082", {}, model, node(nvidia="2")) == []
    (finding,) = found("LLMKUBE-082", {"nodeSelector": {"pool": "other"}}, model, node(nvidia="2"))
    assert field(finding.path) == "spec.nodeSelector"
