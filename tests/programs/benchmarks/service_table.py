"""The time of the engine for one InferenceService with its Model, with every rule of the family and 5,000 known nodes."""

from __future__ import annotations

from functools import partial

from tests.programs.benchmarks.cluster_table import snapshot
from tests.programs.benchmarks.fresh_requests import judged
from tests.programs.benchmarks.timing import compare, reference
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.inputs.facts import bundled_definitions

MODEL: JSONObject = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "Model",
    "metadata": {"name": "llama-3-8b", "namespace": "serving", "uid": "1", "creationTimestamp": "2026-01-01T00:00:00Z"},
    "spec": {
        "source": "https://models.example.com/llama-3-8b-q5_k_m.gguf",
        "format": "gguf",
        "refreshPolicy": "IfNotPresent",
        "hardware": {"accelerator": "rocm", "gpu": {"count": 2, "vendor": "amd", "runtime": "rocm", "resourceName": "amd.com/gpu"}},
    },
}
SERVICE: JSONObject = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "InferenceService",
    "metadata": {"name": "chat", "namespace": "serving", "labels": {"team": "research", "tier": "gpu"}},
    "spec": {
        "modelRef": "llama-3-8b",
        "runtime": "llamacpp",
        "replicas": 2,
        "priority": "high",
        "suspend": False,
        "contextSize": 8192,
        "parallelSlots": 4,
        "flashAttention": True,
        "image": "ghcr.io/ggml-org/llama.cpp:server-rocm-b10068",
        "resources": {"cpu": "4", "memory": "16Gi"},
        "endpoint": {"port": 8080, "path": "/v1/chat/completions", "type": "ClusterIP"},
        "tolerations": [{"key": "amd.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
    },
}


def main() -> None:
    """Print the table."""
    document = snapshot()
    facts = from_objects([*document["items"], MODEL], bundled_definitions())
    gvk = GroupVersionKind.from_object(SERVICE)
    assert gvk is not None
    request = Request("bench", Operation.CREATE, gvk, SERVICE, namespace="serving", name="chat")
    timings = compare(
        {
            "reference": reference,
            "validating webhook": partial(judged, request, facts, DEFAULT, Phase.VALIDATE),
            "mutating webhook": partial(judged, request, facts, DEFAULT, Phase.MUTATE),
            "schema and CEL alone": partial(judged, request, facts, DEFAULT, Phase.APISERVER),
            "whole way, as lint and dry-run": partial(judged, request, facts, DEFAULT),
        }
    )
    base = timings["reference"].seconds
    print("One InferenceService with its Model and every rule of its family, 5,000 nodes")
    for timing in timings.values():
        print(f"  {timing.name:32} {timing.seconds * 1e6:9.1f} µs  {timing.seconds / base:7.2f} x reference")
