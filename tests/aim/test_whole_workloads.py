"""Whole InferenceServices of both operators for a service that sets every field, and each bound of the replicas."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.inference import inference_service, predictor
from weighbridge.policies.families.aim.predictions.workload import Work
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.facts import bundled_definitions

PROFILE: JSONObject = {
    "profileId": "p-1",
    "env_vars": {"FROM_PROFILE": "1", "SPEC": "profile", "NUMBER": 3},
    "metadata": {"metric": "latency", "precision": "fp8", "gpu": "MI210", "gpuCount": 1},
}
SOURCES: list[JSONObject] = [{"name": "acme/llama", "modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "20Gi"}]
ALL: JSONObject = {
    "env": [{"name": "OWN", "value": "1"}, {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
    "imagePullSecrets": [{"name": "pull"}],
    "serviceAccountName": "own",
    "resources": {"requests": {"cpu": "2"}, "limits": {"cpu": "1000m", "none": "x"}, "claims": [{"name": "net"}]},
}
TEMPLATE: JSONObject = {
    "modelName": "llama",
    "env": [{"name": "SPEC", "value": "template"}, {"name": "EMPTY", "value": ""}],
    "resources": {"requests": {"cpu": "9", "memory": "1Gi"}},
    "serviceAccountName": "templates",
}
AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "amd.com/gpu.device-id", "operator": "In", "values": ["740f", "7410"]}]}]
        }
    }
}


def work(group: str, spec: JSONObject, template: JSONObject | None = None, config: JSONObject | None = None, **status: Any) -> Work:
    """A service of model `llama` with its template; `status` is the template's."""
    metadata = {"name": "chat", "namespace": "shop", "labels": {"team": "a", f"{group}/x": "b"}, "annotations": {"note": "n"}}
    return Work(
        service={"kind": "AIMService", "metadata": metadata, "spec": spec},
        dialect=dialect_of(group),
        model={"kind": "AIMModel", "metadata": {"name": "llama"}, "spec": {"image": "ghcr.io/acme/llama:1"}},
        template={"kind": "AIMServiceTemplate", "metadata": {"name": "fast"}, "spec": template or {}, "status": status},
        config=config or {},
        name="chat-690848f6" if group == NEW else "chat",
        facts=from_objects([], bundled_definitions()),
    )


def hardware(group: str, count: int, model: str) -> JSONObject:
    if group == OLD:
        return {"gpuSelector": {"count": count, "model": model}}
    return {"hardware": {"gpu": {"requests": count, "model": model}}}


#: What aim-engine writes into the status of a template of two MI210.
FOUND: JSONObject = {
    "resolvedHardware": hardware(NEW, 2, "MI210")["hardware"],
    "resolvedNodeAffinity": AFFINITY["nodeAffinity"],
    "profile": {"metadata": {"metric": "throughput", "precision": "fp16"}},
}


def test_kaiwo_s_inference_service_of_a_service_that_says_all() -> None:
    spec = {**TEMPLATE, "profileId": "p-1", **hardware(OLD, 2, "MI210")}
    made = work(OLD, ALL, spec, status="Ready", profile=PROFILE, modelSources=SOURCES)
    assert inference_service(made) == {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {
            "name": "chat",
            "namespace": "shop",
            "labels": {
                "team": "a",
                "aim.silogen.ai/x": "b",
                "aim.silogen.ai/service-name": "chat",
                "aim.silogen.ai/template": "fast",
                "aim.silogen.ai/model-id": "acme_llama",
                "aim.silogen.ai/aim-image": "llama",
                "aim.silogen.ai/template.metric": "latency",
                "aim.silogen.ai/template.precision": "fp8",
                "app.kubernetes.io/component": "inference-service",
                "app.kubernetes.io/managed-by": "aim-controller",
                "app.kubernetes.io/name": "aim-service",
            },
            "annotations": {"note": "n"},
        },
        "spec": {
            "predictor": {
                "minReplicas": 1,
                "maxReplicas": 1,
                "model": {
                    "modelFormat": {"name": "aim", "version": "1"},
                    "runtime": "fast",
                    "env": [
                        {"name": "AIM_CACHE_PATH", "value": "/workspace/model-cache"},
                        {"name": "AIM_PROFILE_ID", "value": "p-1"},
                        {"name": "EMPTY"},
                        {"name": "FROM_PROFILE", "value": "1"},
                        {"name": "OWN", "value": "1"},
                        {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                        {"name": "SPEC", "value": "profile"},
                    ],
                    "resources": {
                        "requests": {"cpu": "2", "memory": "32Gi", "amd.com/gpu": "1"},
                        "limits": {"memory": "48Gi", "cpu": "1", "amd.com/gpu": "1"},
                        "claims": [{"name": "net"}],
                    },
                },
                "affinity": AFFINITY,
                "imagePullSecrets": [{"name": "pull"}],
                "serviceAccountName": "templates",
            }
        },
    }


def test_aim_engine_s_inference_service_of_a_service_that_says_all() -> None:
    fields = {"metric": "throughput", "profileId": "p-2", "precision": "fp16"}
    config = {"env": [{"name": "CONFIG", "value": "c"}], "labelPropagation": {"enabled": True, "match": ["team"]}}
    made = work(NEW, ALL, {**TEMPLATE, **fields, **hardware(NEW, 2, "MI210")}, config, status="Ready", modelSources=SOURCES, **FOUND)
    assert inference_service(made) == {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {
            "name": "chat-690848f6",
            "namespace": "shop",
            "labels": {
                "team": "a",
                "aim.eai.amd.com/x": "b",
                "aim.eai.amd.com/model": "llama",
                "aim.eai.amd.com/service": "chat",
                "aim.eai.amd.com/service.name": "chat",
                "aim.eai.amd.com/template": "fast",
                "aim.eai.amd.com/metric": "throughput",
                "aim.eai.amd.com/precision": "fp16",
                "app.kubernetes.io/component": "inference",
                "app.kubernetes.io/managed-by": "aim-engine",
            },
            "annotations": {"serving.kserve.io/autoscalerClass": "none"},
        },
        "spec": {
            "predictor": {
                "minReplicas": 1,
                "maxReplicas": 1,
                "containers": [
                    {
                        "name": "kserve-container",
                        "env": [
                            {"name": "AIM_CACHE_PATH", "value": "/workspace/cache"},
                            {"name": "AIM_METRIC", "value": "throughput"},
                            {"name": "AIM_PRECISION", "value": "fp16"},
                            {"name": "AIM_PROFILE_ID", "value": "p-2"},
                            {"name": "CONFIG", "value": "c"},
                            {"name": "EMPTY"},
                            {"name": "OWN", "value": "1"},
                            {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                            {"name": "SPEC", "value": "template"},
                            {"name": "VLLM_ENABLE_METRICS", "value": "true"},
                        ],
                        "resources": {
                            "requests": {"cpu": "2", "memory": "1Gi", "amd.com/gpu": "2"},
                            "limits": {"memory": "96Gi", "cpu": "1", "amd.com/gpu": "2"},
                        },
                        "image": "ghcr.io/acme/llama:1",
                        "ports": [{"containerPort": 8000, "name": "http", "protocol": "TCP"}],
                        "volumeMounts": [{"name": "dshm", "mountPath": "/dev/shm"}],
                    }
                ],
                "affinity": AFFINITY,
                "imagePullSecrets": [{"name": "pull"}],
                "serviceAccountName": "own",
                "volumes": [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "8Gi"}}],
            }
        },
    }


@pytest.mark.parametrize(
    ("group", "spec", "bounds", "replicas"),
    [
        (OLD, {}, {"minReplicas": 1, "maxReplicas": 1}, 1),
        (OLD, {"replicas": 3}, {"minReplicas": 3, "maxReplicas": 3}, 3),
        (OLD, {"replicas": 0}, {"minReplicas": 0}, 0),
        (OLD, {"replicas": 3, "maxReplicas": 5}, {"maxReplicas": 5}, 1),
        (OLD, {"replicas": 3, "minReplicas": 2}, {"minReplicas": 2}, 2),
        (OLD, {"minReplicas": 0, "maxReplicas": 5}, {"minReplicas": 0, "maxReplicas": 5}, 0),
        (OLD, {"autoScaling": {}}, {}, 1),
        (NEW, {}, {"minReplicas": 1, "maxReplicas": 1}, 1),
        (NEW, {"replicas": 0}, {"minReplicas": 0}, 0),
        (NEW, {"replicas": 3}, {"minReplicas": 3, "maxReplicas": 3}, 3),
        (NEW, {"replicas": 3, "maxReplicas": 5}, {"minReplicas": 1, "maxReplicas": 5}, 1),
        (NEW, {"replicas": 3, "minReplicas": 2}, {"minReplicas": 2, "maxReplicas": 2}, 2),
        (NEW, {"minReplicas": 0, "maxReplicas": 5}, {"minReplicas": 0, "maxReplicas": 5}, 0),
        (NEW, {"replicas": 3, "autoScaling": {}}, {"minReplicas": 1, "maxReplicas": 1}, 1),
    ],
)
def test_the_bounds_of_the_replicas(group: str, spec: JSONObject, bounds: JSONObject, replicas: int) -> None:
    made = work(group, spec)
    found = inference_service(made)["spec"]["predictor"]
    assert {key: value for key, value in found.items() if key.endswith("Replicas")} == bounds
    assert predictor(made)["spec"]["replicas"] == replicas


SCALED = {
    "prometheus.kserve.io/port": "8000",
    "serving.kserve.io/autoscalerClass": "keda",
    "sidecar.opentelemetry.io/inject": "chat-690848f6-predictor",
}


@pytest.mark.parametrize("field", ["autoScaling", "minReplicas", "maxReplicas"])
def test_each_bound_makes_an_autoscaler_of_aim_engine_s(field: str) -> None:
    spec: JSONObject = {field: {} if field == "autoScaling" else 1}
    assert inference_service(work(NEW, spec))["metadata"]["annotations"] == SCALED
    annotations = {"note": "n"} if field != "autoScaling" else SCALED | {"sidecar.opentelemetry.io/inject": "chat-predictor", "note": "n"}
    assert inference_service(work(OLD, spec))["metadata"]["annotations"] == annotations


def test_a_metric_is_handed_on_without_an_amount_that_can_t_be_read() -> None:
    target = {"type": "Value", "value": "x", "averageValue": "1"}
    metrics = [{"type": "PodMetric", "podmetric": {"metric": {"n": 1}, "target": target}}, {"type": "Resource"}]
    scaling = inference_service(work(NEW, {"autoScaling": {"metrics": metrics, "more": 1}}))["spec"]["predictor"]["autoScaling"]
    kept = {"type": "PodMetric", "podmetric": {"metric": {"n": 1}, "target": {"type": "Value", "averageValue": "1"}}}
    assert scaling == {"metrics": [kept, {"type": "Resource"}], "more": 1}
