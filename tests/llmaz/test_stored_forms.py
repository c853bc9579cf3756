"""A Playground after the API server has stored it, and its Service after llmaz's second controller has added to it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmaz.test_whole_playgrounds import (
    METRICS,
    MODELS,
    PROBE,
    a_model,
    a_playground,
    a_request,
    a_runtime,
    drafted,
    facts_of,
    predicted,
)
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.llmaz.kinds import SERVICE
from weighbridge.policies.families.llmaz.predictions.playground import autoscaler_of, created_service, predict
from weighbridge.policies.families.llmaz.predictions.service import predict as predict_service
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal

DOWN = {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}
UP = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}],
}
OWNED = {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Service", "name": "p", "controller": True}


def a_scaler(hpa: JSONObject) -> JSONObject:
    found, failure = autoscaler_of(a_playground({"elasticConfig": {"maxReplicas": 3, "scaleTrigger": {"hpa": hpa}}}))
    assert found is not None
    assert (failure, autoscaler_refusal(found)) == ("", "")
    spec: JSONObject = found["spec"]
    return spec


@pytest.mark.parametrize("hpa", [{}, {"metrics": []}, {"metrics": None}])
def test_without_a_metric_it_scales_by_the_cpu(hpa: JSONObject) -> None:
    spec = a_scaler(hpa)
    assert spec["metrics"] == METRICS
    assert "behavior" not in spec


@pytest.mark.parametrize(
    ("behavior", "up", "down"),
    [
        ({}, UP, DOWN),
        ({"scaleUp": None}, UP, DOWN),
        ({"scaleDown": {"stabilizationWindowSeconds": 60}}, UP, {**DOWN, "stabilizationWindowSeconds": 60}),
        ({"scaleUp": {"selectPolicy": "Disabled", "tolerance": "0.1"}}, {**UP, "selectPolicy": "Disabled", "tolerance": "100m"}, DOWN),
        # Go leaves out an empty list, so the API server fills it in instead of refusing it.
        ({"scaleUp": {"policies": []}}, UP, DOWN),
    ],
)
def test_a_behavior_has_both_directions_in_full(behavior: JSONObject, up: JSONObject, down: JSONObject) -> None:
    spec = a_scaler({"behavior": behavior})
    assert spec["metrics"] == METRICS
    assert spec["behavior"] == {"scaleUp": up, "scaleDown": down}


def test_amounts_of_metrics_are_stored_as_they_print() -> None:
    pods = {"metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": 1.5}}
    (metric,) = a_scaler({"metrics": [{"type": "Pods", "pods": pods}]})["metrics"]
    assert metric["pods"]["target"] == {"type": "AverageValue", "averageValue": "1500m"}


def a_core_service(*owners: JSONObject) -> JSONObject:
    metadata = {"name": "p-lb", "namespace": "ns", "ownerReferences": list(owners)}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 9}], "selector": {"x": "y"}}}


@pytest.mark.parametrize(
    ("owners", "is_made"),
    [([], False), ([{**OWNED, "name": "q"}], False), ([{**OWNED, "controller": False}], False), ([OWNED], True)],
)
def test_a_service_in_front_that_is_there_is_left_alone_unless_it_is_its_own(owners: list[JSONObject], is_made: bool) -> None:
    found = predicted({}, a_core_service(*owners))
    assert [(each["apiVersion"], each["metadata"]["name"]) for each in found.objects] == [
        ("inference.llmaz.io/v1alpha1", "p"),
        ("leaderworkerset.x-k8s.io/v1", "p"),
        *([("v1", "p-lb")] if is_made else []),
    ]
    assert found.failure == ""


def a_config(data: str) -> JSONObject:
    metadata = {"name": "llmaz-global-config", "namespace": "llmaz-system"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"config.data": data}}


def schedulers(found: Prediction) -> list[Any]:
    """The scheduler's name in each created Service of llmaz and each LeaderWorkerSet."""
    out = []
    for made in found.objects:
        spec = made["spec"]
        template = spec.get("workloadTemplate") or spec.get("leaderWorkerTemplate")
        if template is not None:
            out.append(template["workerTemplate"]["spec"].get("schedulerName"))
    return out


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("scheduler-name: volcano\ninit-container-image: loader:1\n", ["volcano", "volcano"]),
        ("init-container-image: loader:1\n", [None, None]),
        # Without an image the second controller doesn't begin.
        ("scheduler-name: volcano\n", [None]),
    ],
)
def test_the_scheduler_is_written_into_the_service_too(data: str, expected: list[Any]) -> None:
    assert schedulers(predicted({}, a_config(data))) == expected


def a_service(templates: JSONObject, model: str = "a") -> Prediction:
    spec = {"modelClaims": {"models": [{"name": model, "role": "main"}]}, "workloadTemplate": templates}
    metadata = {"name": "s", "namespace": "ns"}
    obj = {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Service", "metadata": metadata, "spec": spec}
    request = Request("1", Operation.CREATE, SERVICE, obj, namespace="ns", name="s")
    facts = facts_of(*MODELS, a_config("scheduler-name: volcano\ninit-container-image: loader:1\n"))
    found = predict_service(request, facts, DEFAULT)
    assert found is not None
    return found


@pytest.mark.parametrize("model", ["a", "missing"])
def test_a_service_gets_it_where_its_author_names_none_even_without_its_model(model: str) -> None:
    pod = {"containers": [{"name": "model-runner", "image": "e"}]}
    found = a_service({"leaderTemplate": {"spec": {**pod, "schedulerName": "own"}}, "workerTemplate": {"spec": pod}}, model)
    written = {value.field: value.value for value in found.values if value.object == "Service/s" and value.field.endswith("schedulerName")}
    assert written == {"spec.workloadTemplate.workerTemplate.spec.schedulerName": "volcano"}


def test_amounts_of_pods_are_stored_as_they_print() -> None:
    runner = {"name": "model-runner", "image": "e", "resources": {"requests": {"cpu": 0.5}, "limits": {"cpu": 1, "memory": "1024Mi"}}}
    (workload, _) = a_service({"workerTemplate": {"spec": {"containers": [runner]}}}).objects
    (container,) = workload["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["containers"]
    assert container["resources"] == {"requests": {"cpu": "500m"}, "limits": {"cpu": "1", "memory": "1Gi"}}


def test_a_null_counts_as_open() -> None:
    service, _ = created_service(a_playground({"backendRuntimeConfig": {"sharedMemorySize": None, "version": None, "args": None}}))
    assert service is not None
    pod = service["spec"]["workloadTemplate"]["workerTemplate"]["spec"]
    assert pod["volumes"] == [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": "2Gi"}}]
    assert pod["containers"][0]["image"] == "engine:v1"


def test_an_empty_probe_goes_into_the_pod() -> None:
    service, _ = created_service(a_playground({}, a_runtime(livenessProbe={}, readinessProbe=PROBE)))
    assert service is not None
    (container,) = service["spec"]["workloadTemplate"]["workerTemplate"]["spec"]["containers"]
    assert (container["livenessProbe"], container["readinessProbe"]) == ({}, PROBE)


def test_the_runtime_is_looked_for_before_the_models() -> None:
    found = predicted({"modelClaims": {}, "backendRuntimeConfig": {"backendName": "x"}})
    assert found.failure == 'BackendRuntime.inference.llmaz.io "x" not found'


def test_each_key_that_is_there_twice_is_told() -> None:
    runtime = a_runtime(envs=[{"name": "HF_TOKEN", "value": "x"}])
    request = a_request({**drafted("main", "draft")}, {})
    found = predict(request, facts_of(*MODELS, runtime), DEFAULT)
    assert found is not None
    path = ".spec.leaderWorkerTemplate.workerTemplate.spec.initContainers"
    twice = [f'  {path}[name="{name}"].env: duplicate entries for key [name="HF_TOKEN"]' for name in ("model-loader", "model-loader-1")]
    what = "failed to create typed patch object (ns/p; leaderworkerset.x-k8s.io/v1, Kind=LeaderWorkerSet): "
    assert found.failure == what + "\n".join(["errors:", *twice])


def test_a_folder_of_the_node_is_mounted_next_to_the_models() -> None:
    models = (a_model("folder", uri="host:///workspace/models/"),)
    found = predict(a_request({"modelClaim": {"modelName": "folder"}}, {}), facts_of(*models, a_runtime()), DEFAULT)
    assert found is not None
    assert [line.rpartition(": ")[2] for line in found.failure.splitlines()[1:]] == [
        'duplicate entries for key [mountPath="/workspace/models/"]',
        'duplicate entries for key [name="model-volume"]',
    ]


def test_the_second_trigger_of_a_name_is_taken_where_the_first_has_none() -> None:
    configs = [
        {"name": "default", "args": ["{{ .ModelPath }}"]},
        {"name": "default", "args": [], "scaleTrigger": {"hpa": {"metrics": METRICS}}},
    ]
    found, _ = autoscaler_of(a_playground({"elasticConfig": {"maxReplicas": 3}}, a_runtime(recommendedConfigs=configs)))
    assert found is not None
    assert found["spec"]["metrics"] == METRICS
