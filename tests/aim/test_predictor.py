"""The Deployment that KServe creates for the InferenceService, which no recording of the operators has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_workloads import predicted, template
from weighbridge.policies.families.aim.kinds import NEW, OLD

SERVICE = {
    "replicas": 3,
    "env": [{"name": "A", "value": "1"}],
    "imagePullSecrets": [{"name": "s"}],
    "serviceAccountName": "own",
}
AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {
                    "matchExpressions": [
                        {"key": "amd.com/gpu.device-id", "operator": "In", "values": ["74a1", "74a9", "74b5", "74bd"]},
                    ]
                }
            ]
        }
    }
}
RESOURCES = {
    "requests": {"cpu": "8", "memory": "64Gi", "amd.com/gpu": "2"},
    "limits": {"memory": "96Gi", "amd.com/gpu": "2"},
}


#: The volume of the weights, its claim and its path.
MOUNTED = {
    OLD: ("model-storage", "chat-temp-cache", "/workspace/model-cache"),
    NEW: ("hf---acme-llama-c82571f701", "hf---acme-llama-c82571f701-cache-xxxxxxxx", "/workspace/cache/acme/llama"),
}


def deployment(group: str, spec: dict[str, Any]) -> dict[str, Any]:
    found = predicted(group, spec, template(group, spec={"serviceAccountName": "templates"}))
    return next(obj for obj in found.objects if obj["kind"] == "Deployment")


@pytest.mark.parametrize(
    ("group", "name", "container", "account"),
    [
        (
            OLD,
            "chat-predictor",
            {"env": [{"name": "A", "value": "1"}, {"name": "AIM_CACHE_PATH", "value": "/workspace/model-cache"}]},
            "templates",
        ),
        (
            NEW,
            "chat-690848f6-predictor",
            {
                "env": [
                    {"name": "A", "value": "1"},
                    {"name": "AIM_CACHE_PATH", "value": "/workspace/cache"},
                    {"name": "VLLM_ENABLE_METRICS", "value": "true"},
                ],
                "ports": [{"containerPort": 8000, "name": "http", "protocol": "TCP"}],
            },
            "own",
        ),
    ],
)
def test_the_deployment_of_a_service(group: str, name: str, container: dict[str, Any], account: str) -> None:
    labels = {"app": f"isvc.{name}"}
    weights, claim, path = MOUNTED[group]
    pod = {
        "containers": [
            {
                "name": "kserve-container",
                "image": "ghcr.io/acme/llama:1",
                "resources": RESOURCES,
                "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}, {"name": weights, "mountPath": path}],
                **container,
            }
        ],
        "volumes": [
            {"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "8Gi"}},
            {"name": weights, "persistentVolumeClaim": {"claimName": claim}},
        ],
        "affinity": AFFINITY,
        "imagePullSecrets": [{"name": "s"}],
        "serviceAccountName": account,
    }
    assert deployment(group, SERVICE) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"replicas": 3, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}},
    }


@pytest.mark.parametrize("group", [OLD, NEW])
def test_a_service_that_says_little_has_one_replica_and_no_more_fields(group: str) -> None:
    spec = next(obj["spec"] for obj in predicted(group, {}, template(group)).objects if obj["kind"] == "Deployment")
    assert spec["replicas"] == 1
    assert sorted(spec["template"]["spec"]) == ["affinity", "containers", "volumes"]
