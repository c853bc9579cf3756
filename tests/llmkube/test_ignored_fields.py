"""Fields of a service that have no effect, by engine, GPUs and kind of endpoint: with the reason, and a service in which they have one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.service.predicting import GROUP, KNOWN, NAMESPACE, a_model, a_service
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.families.llmkube.rules._ignored_fields import ignored_fields, misplaced_fields
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

ONE_GPU: dict[str, Any] = {"hardware": {"gpu": {"count": 1}}}
TWO_GPUS: dict[str, Any] = {"hardware": {"gpu": {"count": 2, "sharding": {"strategy": "layer"}}}}
SHARDED_ALONE: dict[str, Any] = {"hardware": {"gpu": {"count": 1, "sharding": {"strategy": "layer"}}}}
METAL: dict[str, Any] = {"hardware": {"accelerator": "metal"}}
NO_GPU = "has no effect, since no GPU is counted; remove it"
AGENT = "has no effect on a pod; only runtimes of the Metal agent read it"


def service_with(model: JSONObject, spec: JSONObject) -> Service:
    config = Configuration(families={LLMKube: LLMKube(version="v0.9.19")})
    service, gvk = a_service(**spec), GroupVersionKind(GROUP, "v1alpha1", "InferenceService")
    facts = Facts(bundled_definitions(config), ObjectStore([model, service]))
    facts.objects.complete(besides=KNOWN)
    return Service(Request("1", Operation.CREATE, gvk, service, namespace=NAMESPACE, name="svc"), facts, config)


def told(model: dict[str, Any], spec: JSONObject) -> dict[str, str]:
    return {".".join(map(str, path[1:])): why for path, why in ignored_fields(service_with(a_model(**model), spec))}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"runtime": "generic", "extraArgs": ["a"]}, {"extraArgs": "has no effect on runtime generic; use args"}),
        ({"runtime": "generic", "args": ["a"], "contextSize": 1}, {}),
        ({"runtime": "llamacpp", "args": ["a"], "contextSize": 1}, {"args": "has no effect on runtime llamacpp; use extraArgs"}),
        ({"runtime": "llamacpp", "extraArgs": ["a"]}, {}),
        ({"runtime": "vllm", "contextSize": 1}, {"contextSize": "has no effect on runtime vllm; use vllmConfig.maxModelLen"}),
        ({"runtime": "sglang", "contextSize": 1}, {"contextSize": "has no effect on runtime sglang; use sglangConfig.contextLength"}),
        ({"runtime": "tgi", "contextSize": 1}, {"contextSize": "has no effect on runtime tgi; use tgiConfig.maxTotalTokens"}),
    ],
)
def test_what_stands_in_another_engines_field(spec: JSONObject, expected: dict[str, str]) -> None:
    found = misplaced_fields(service_with(a_model(), spec))
    assert {".".join(map(str, path[1:])): why for path, why in found} == expected
    assert list(misplaced_fields(service_with(a_model(**METAL), spec))) == []


@pytest.mark.parametrize(
    ("model", "spec", "expected"),
    [
        ({}, {"resources": {"gpuMemory": "1Gi"}}, {"resources.gpuMemory": "has no effect, since nothing reserves GPU memory; remove it"}),
        (METAL, {"autoscaling": {}}, {"autoscaling": "has no effect with accelerator metal, which runs no pods; remove it"}),
        (METAL, {"turboQuantBits": 4, "jinja": True, "runtime": "vllm", "endpoint": {"nodePort": 1}}, {}),
        ({}, {"turboQuantBits": 4, "hotCacheMaxSize": "1Gi"}, {"turboQuantBits": AGENT, "hotCacheMaxSize": AGENT}),
        ({}, {"runtime": "personaplex", "extraArgs": ["a"]}, {"extraArgs": "has no effect on runtime personaplex; remove it"}),
        (
            {},
            {"runtime": "generic", "contextSize": 1, "parallelSlots": 2, "jinja": True, "batchSize": 8},
            {
                "contextSize": "has no effect on runtime generic; remove it",
                "parallelSlots": "has no effect on runtime generic; remove it",
                "jinja": "has no effect on runtime generic; only llama.cpp reads it",
                "batchSize": "has no effect on runtime generic; only llama.cpp reads it",
            },
        ),
        ({}, {"runtime": "vllm", "contextSize": 1, "parallelSlots": 2}, {}),
        ({}, {"runtime": "sglang", "parallelSlots": 2}, {"parallelSlots": "has no effect on runtime sglang; remove it"}),
        ({}, {"contextSize": 1, "parallelSlots": 2, "jinja": True, "batchSize": 8}, {}),
        ({}, {"reasoningBudgetMessage": "m"}, {"reasoningBudgetMessage": "has no effect without reasoningBudget"}),
        ({}, {"reasoningBudgetMessage": "m", "reasoningBudget": 0}, {}),
        ({"mmproj": "p.gguf"}, {"runtime": "vllm"}, {"modelRef": "mmproj of Model m has no effect on runtime vllm"}),
        ({"mmproj": "p.gguf"}, {}, {}),
        (TWO_GPUS, {"runtime": "vllm"}, {"modelRef": "gpu.sharding of Model m has no effect on runtime vllm"}),
        (TWO_GPUS, {}, {}),
        (SHARDED_ALONE, {"runtime": "vllm"}, {}),
        ({}, {"flashAttention": True}, {"flashAttention": "has no effect without a GPU; remove it"}),
        ({}, {"flashAttention": False}, {}),
        (ONE_GPU, {"flashAttention": True}, {}),
        (
            {},
            {"runtime": "vllm", "vllmConfig": {"cpuOffloadGB": 1, "gpuMemoryUtilization": "0.5"}},
            {"vllmConfig.cpuOffloadGB": NO_GPU, "vllmConfig.gpuMemoryUtilization": NO_GPU},
        ),
        (ONE_GPU, {"runtime": "vllm", "vllmConfig": {"cpuOffloadGB": 1, "gpuMemoryUtilization": "0.5"}}, {}),
        ({}, {"runtime": "sglang", "sglangConfig": {"memFractionStatic": "0.5"}}, {"sglangConfig.memFractionStatic": NO_GPU}),
        ({}, {"runtime": "sglang", "vllmConfig": {"cpuOffloadGB": 1}}, {}),
        ({}, {"endpoint": {"nodePort": 30000}}, {"endpoint.nodePort": "has no effect on type ClusterIP; remove it"}),
        (
            {},
            {"endpoint": {"nodePort": 30000, "type": "LoadBalancer"}},
            {"endpoint.nodePort": "has no effect on type LoadBalancer; remove it"},
        ),
        ({}, {"endpoint": {"nodePort": 30000, "type": "NodePort"}}, {}),
        ({}, {"autoscaling": {}, "replicas": 2}, {"replicas": "has no effect, since the autoscaler sets the number of pods; remove it"}),
        ({}, {"autoscaling": {}, "replicas": 1}, {}),
        ({}, {"autoscaling": {}}, {}),
        ({}, {"replicas": 2}, {}),
    ],
)
def test_what_is_set_without_effect(model: dict[str, Any], spec: JSONObject, expected: dict[str, str]) -> None:
    assert told(model, spec) == expected
