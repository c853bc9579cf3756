"""Whole objects that OME makes for a component: workloads, Services, autoscalers and budgets, and the strategies of updates."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ome.workloads import ANNOTATIONS, LABELS, RUNNER, kinds, objects
from weighbridge.policies.families.ome.predictions.merge.components import Mode, components_of
from weighbridge.policies.families.ome.predictions.merge.pods import PodError
from weighbridge.policies.ground.objects import JSONObject

_LABEL = "models.ome.io/clusterbasemodel.llama"
_OF_POD: JSONObject = {
    "nodeSelector": {_LABEL: "Ready"},
    "volumes": [{"name": "llama", "hostPath": {"path": "/m"}}],
}
_MOUNTS = [{"name": "llama", "mountPath": "/m", "readOnly": True}]
_ENV = [{"name": "MODEL_PATH", "value": "/m"}]


def _of(kind: str, objects: list[JSONObject]) -> JSONObject:
    return next(obj for obj in objects if obj["kind"] == kind)


def _object(api: str, kind: str, name: str, **rest: Any) -> JSONObject:
    return {"apiVersion": api, "kind": kind, "metadata": {"name": name, "namespace": "shop"}, **rest}


def test_an_engine_becomes_a_deployment_with_all_beside_it() -> None:
    labels = {"app": "chat-engine", "component": "engine", **LABELS}
    found = objects({"engine": {"runner": RUNNER}})
    config, deployment, service, scaler, budget, front = found
    selector = {"matchLabels": {"app": "chat-engine"}}
    container = {**RUNNER, "env": _ENV, "volumeMounts": _MOUNTS}
    template = {"metadata": {"labels": labels, "annotations": ANNOTATIONS}, "spec": {"containers": [container], **_OF_POD}}
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    assert config == _object("v1", "ConfigMap", "modelconfig-chat")
    assert deployment == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "chat-engine", "namespace": "shop", "labels": labels, "annotations": ANNOTATIONS},
        "spec": {"replicas": 1, "selector": selector, "strategy": strategy, "template": template},
    }
    ports = [{"name": "server", "port": 8080, "targetPort": 8080, "protocol": "TCP"}]
    spec: JSONObject = {"type": "ClusterIP", "selector": {"app": "chat-engine"}, "ports": ports}
    assert service == _object("v1", "Service", "chat-engine", spec=spec)
    resource = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
    spec = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"},
        "minReplicas": 1,
        "maxReplicas": 1,
        "metrics": [{"type": "Resource", "resource": resource}],
    }
    assert scaler == _object("autoscaling/v2", "HorizontalPodAutoscaler", "chat-engine", spec=spec)
    spec = {"maxUnavailable": 1, "selector": selector}
    assert budget == _object("policy/v1", "PodDisruptionBudget", "chat-engine", spec=spec)
    ports = [{"name": "http", "port": 8080, "targetPort": 8080, "protocol": "TCP"}]
    spec = {"type": "ClusterIP", "selector": {"ome.io/inferenceservice": "chat", "component": "engine"}, "ports": ports}
    assert front == _object("v1", "Service", "chat", spec=spec)


def test_leader_and_workers_become_a_group() -> None:
    role = {"runner": RUNNER}
    engine = {"leader": role, "worker": {**role, "size": 3}, "minReplicas": 2}
    found = objects({"engine": engine}, annotations={"ome.io/volcano-queue": "q"})
    annotations = {"ome.io/volcano-queue": "q", **ANNOTATIONS}
    labels = {"component": "engine", **LABELS}
    pod = {"containers": [{**RUNNER, "env": _ENV, "volumeMounts": _MOUNTS}], **_OF_POD}
    leader = {"app": "chat-engine", **labels, "ray.io/node-type": "head", "volcano.sh/queue-name": "q"}
    template = {
        "size": 4,
        "restartPolicy": "RecreateGroupOnPodRestart",
        "leaderTemplate": {"metadata": {"labels": leader, "annotations": annotations}, "spec": pod},
        "workerTemplate": {"metadata": {"labels": {**labels, "volcano.sh/queue-name": "q"}, "annotations": annotations}, "spec": pod},
    }
    ports = [{"name": "server", "port": 8080, "targetPort": 8080, "protocol": "TCP"}]
    spec = {"type": "ClusterIP", "selector": {"ray.io/node-type": "head"}, "ports": ports}
    assert kinds(found) == ["ConfigMap/modelconfig-chat", "LeaderWorkerSet/lws-chat-engine", "Service/chat-engine", "Service/chat"]
    assert found[1] == {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "lws-chat-engine", "namespace": "shop", "labels": labels, "annotations": annotations},
        "spec": {"replicas": 2, "leaderWorkerTemplate": template, "startupPolicy": "LeaderCreated"},
    }
    assert found[2] == _object("v1", "Service", "chat-engine", spec=spec)


def test_an_engine_without_a_least_number_of_replicas_is_knative_s() -> None:
    asked = {"scaleTarget": 5, "scaleMetric": "concurrency", "timeoutSeconds": 60, "containerConcurrency": 8}
    found = objects({"engine": {"runner": RUNNER, "minReplicas": 0, "maxReplicas": 3, **asked}}, annotations={"ome.io/volcano-queue": "q"})
    labels = {"component": "engine", **LABELS}
    told = {"min-scale": "0", "max-scale": "3", "class": "kpa.autoscaling.knative.dev", "target": "5", "metric": "concurrency"}
    scale = {f"autoscaling.knative.dev/{key}": value for key, value in told.items()}
    annotations = {"ome.io/volcano-queue": "q", **ANNOTATIONS, **scale}
    pod = {"containers": [{**RUNNER, "env": _ENV, "volumeMounts": _MOUNTS}], **_OF_POD}
    limits = {"timeoutSeconds": 60, "responseStartTimeoutSeconds": 60, "containerConcurrency": 8}
    template = {"metadata": {"labels": labels, "annotations": annotations}, "spec": {**pod, **limits}}
    assert kinds(found) == ["ConfigMap/modelconfig-chat", "Service/chat-engine", "Service/chat"]
    assert found[1] == {
        "apiVersion": "serving.knative.dev/v1",
        "kind": "Service",
        "metadata": {"name": "chat-engine", "namespace": "shop", "labels": {**labels, "volcano.sh/queue-name": "q"}},
        "spec": {"template": template, "traffic": [{"latestRevision": True, "percent": 100}]},
    }


def test_a_router_gets_rights_and_comes_first() -> None:
    found = objects({"engine": {"runner": RUNNER}, "router": {"runner": {"name": "r", "image": "r:1"}, "config": {"b": "2", "a": "1"}}})
    api = "rbac.authorization.k8s.io"
    subjects = [{"kind": "ServiceAccount", "name": "chat-router", "namespace": "shop"}]
    rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}]
    role = {"apiGroup": api, "kind": "Role", "name": "chat-router"}
    assert found[5:8] == [
        _object("v1", "ServiceAccount", "chat-router"),
        _object(f"{api}/v1", "Role", "chat-router", rules=rules),
        _object(f"{api}/v1", "RoleBinding", "chat-router", roleRef=role, subjects=subjects),
    ]
    assert found[8]["spec"]["template"]["spec"] == {
        "containers": [{"name": "r", "image": "r:1", "env": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]}],
        "volumes": _OF_POD["volumes"],
        "serviceAccountName": "chat-router",
    }
    assert found[-1]["spec"]["selector"] == {"ome.io/inferenceservice": "chat", "component": "router"}


@pytest.mark.parametrize(
    ("metadata", "last"),
    [
        ({}, "Service/chat"),
        ({"annotations": {"ome.io/ingress-disable-creation": "true"}}, "Service/chat"),
        ({"annotations": {"ome.io/ingress-disable-creation": "false"}}, "PodDisruptionBudget/chat-engine"),
    ],
)
def test_a_service_in_front_can_be_left_out(metadata: JSONObject, last: str) -> None:
    assert kinds(objects({"engine": {"runner": RUNNER}}, **metadata))[-1] == last


@pytest.mark.parametrize(
    ("engine", "annotations", "bounds", "target"),
    [
        ({"minReplicas": 2, "maxReplicas": 1}, {}, (2, 2), 80),
        ({"maxReplicas": 5, "scaleTarget": 60}, {}, (1, 5), 60),
        ({"scaleTarget": 60}, {"ome.io/targetUtilizationPercentage": "70"}, (1, 1), 70),
        ({}, {"ome.io/targetUtilizationPercentage": "+70", "ome.io/autoscalerClass": "hpa"}, (1, 1), 70),
        ({"minReplicas": 2**32 + 3, "maxReplicas": 5}, {}, (3, 5), 80),
        ({"minReplicas": -4, "maxReplicas": 2**32 + 7, "scaleTarget": 2**32 + 50}, {}, (1, 7), 50),
        ({"minReplicas": 2}, {"ome.io/autoscalerClass": "keda"}, (2, 2), None),
        ({"maxReplicas": 4}, {"ome.io/autoscalerClass": "keda"}, (1, 4), None),
    ],
)
def test_the_bounds_and_the_target_of_an_autoscaler(
    engine: JSONObject, annotations: dict[str, str], bounds: tuple[int, int], target: int | None
) -> None:
    found = objects({"engine": {"runner": RUNNER, "scaleMetric": "memory", **engine}}, annotations=annotations)
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat-engine"}
    if target is None:
        spec: JSONObject = {"scaleTargetRef": reference, "minReplicaCount": bounds[0], "maxReplicaCount": bounds[1]}
        scaled = _of("ScaledObject", found)
        assert scaled["spec"].pop("triggers")
        assert scaled == _object("keda.sh/v1alpha1", "ScaledObject", "scaledobject-chat-engine", spec=spec)
        return
    resource = {"name": "memory", "target": {"type": "Utilization", "averageUtilization": target}}
    spec = {"scaleTargetRef": reference, "minReplicas": bounds[0], "maxReplicas": bounds[1]}
    assert _of("HorizontalPodAutoscaler", found)["spec"] == {**spec, "metrics": [{"type": "Resource", "resource": resource}]}


def test_no_autoscaler_is_made_for_one_of_somebody_else_and_an_unknown_one_ends_it() -> None:
    found = kinds(objects({"engine": {"runner": RUNNER}}, annotations={"ome.io/autoscalerClass": "external"}))
    assert found[1:] == ["Deployment/chat-engine", "Service/chat-engine", "PodDisruptionBudget/chat-engine", "Service/chat"]
    with pytest.raises(PodError, match=r'^engine has the autoscaler class "odd", and OME knows hpa, keda, external$'):
        objects({"engine": {"runner": RUNNER}}, annotations={"ome.io/autoscalerClass": "odd"})


@pytest.mark.parametrize(
    ("engine", "bounds"),
    [({"minAvailable": 0}, {"minAvailable": 0}), ({"maxUnavailable": "50%"}, {"maxUnavailable": "50%"}), ({}, {"maxUnavailable": 1})],
)
def test_a_budget_has_the_bounds_that_are_written(engine: JSONObject, bounds: JSONObject) -> None:
    spec = _of("PodDisruptionBudget", objects({"engine": {"runner": RUNNER, **engine}}))["spec"]
    assert spec == {**bounds, "selector": {"matchLabels": {"app": "chat-engine"}}}


@pytest.mark.parametrize(
    ("name", "app", "config"),
    [
        ("a" * 56, f"{'a' * 56}-engine", "a" * 20),
        # The SHA-256 of the whole name; its first digit becomes a letter.
        ("b" * 57, None, "b" * 20),
        ("c" * 20 + "d", "c" * 20 + "d-engine", "c" * 19 + "d"),
    ],
)
def test_a_name_that_is_too_long_for_a_service_keeps_its_end(name: str, app: str | None, config: str) -> None:
    found = objects({"engine": {"runner": RUNNER}}, name=name)
    made = _of("Service", found)["metadata"]["name"]
    assert (found[0]["metadata"]["name"], len(made)) == (f"modelconfig-{config}", min(len(name) + 7, 63))
    assert made == (app or f"{made[:8]}-{f'{name}-engine'[-54:]}")
    assert not made[0].isdigit()


@pytest.mark.parametrize(
    ("spec", "modes"),
    [
        ({"engine": {}}, [Mode.RAW]),
        ({"engine": {"minReplicas": 0}}, [Mode.SERVERLESS]),
        ({"engine": {"minReplicas": 1}}, [Mode.RAW]),
        ({"engine": {"leader": {}}}, [Mode.MULTI_NODE]),
        ({"engine": {"worker": {}, "minReplicas": 0}}, [Mode.MULTI_NODE]),
        ({"engine": {"minReplicas": 0}, "decoder": {"minReplicas": 0}}, [Mode.RAW, Mode.RAW]),
        ({"engine": {}, "decoder": {"leader": {}}}, [Mode.RAW, Mode.MULTI_NODE]),
        ({"engine": {}, "router": {"minReplicas": 0}}, [Mode.RAW, Mode.SERVERLESS]),
        ({"engine": {}, "decoder": {}, "router": {"minReplicas": 0, "leader": {}}}, [Mode.RAW, Mode.RAW, Mode.SERVERLESS]),
        ({"engine": {"minReplicas": 0, "annotations": {"ome.io/deploymentMode": "RawDeployment"}}}, [Mode.RAW]),
        ({"engine": {"annotations": {"ome.io/deploymentMode": "odd"}, "minReplicas": 0}}, [Mode.SERVERLESS]),
        ({"engine": {}, "router": {"annotations": {"ome.io/deploymentMode": "Serverless"}}}, [Mode.RAW, Mode.RAW]),
    ],
)
def test_how_each_component_is_deployed(spec: JSONObject, modes: list[Mode]) -> None:
    assert [component.mode for component in components_of({"spec": spec}, {})] == modes
