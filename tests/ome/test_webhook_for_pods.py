"""What OME's webhook adds to pods for RDMA and for Prometheus, and which settings it needs for its containers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ome.records import request_for
from tests.ome.test_refused_workloads import cluster, made_of, service
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.ome.operator import CONFIG, NAMESPACE, SHIPPED
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import admitted
from weighbridge.policies.families.ome.predictions.service import predict
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.engine import decide

_RDMA = {"rdma.ome.io/auto-inject": "true"}
_SCRAPED = {"ome.io/enable-prometheus-scraping": "true"}


def template(annotations: JSONObject, *containers: JSONObject, **spec: Any) -> JSONObject:
    """A template of pods with these containers, or with only OME's container."""
    return {"metadata": {"annotations": annotations}, "spec": {"containers": list(containers or ({"name": "ome-container"},)), **spec}}


def pod(annotations: JSONObject, *containers: JSONObject, **spec: Any) -> JSONObject:
    """The spec of a pod after OME's webhook."""
    found = admitted(template(annotations, *containers, **spec), SHIPPED)
    assert found.refusal == ""
    stored: JSONObject = found.template["spec"]
    return stored


def test_a_container_gets_variables_devices_and_rights() -> None:
    spec = pod(_RDMA, {"name": "side"}, {"name": "ome-container", "env": [{"name": "NCCL_DEBUG", "value": "WARN"}]})
    side, container = spec["containers"]
    assert side == {"name": "side"}
    names = [entry["name"] for entry in container["env"]]
    assert (len(names), names[0], names[1:] == sorted(names[1:]), names.count("NCCL_DEBUG")) == (22, "NCCL_DEBUG", True, 2)
    adapters = next(entry["value"] for entry in container["env"] if entry["name"] == "NCCL_IB_HCA")
    assert (adapters.count("mlx5_"), "mlx5_2," in adapters, "mlx5_11" in adapters) == (16, False, False)
    assert container["volumeMounts"] == [{"name": "dshm", "mountPath": "/dev/shm"}, {"name": "devinf", "mountPath": "/dev/infiniband"}]
    assert container["securityContext"] == {"privileged": True, "capabilities": {"add": ["IPC_LOCK", "CAP_SYS_ADMIN"]}}
    assert spec["volumes"] == [
        {"name": "dshm", "emptyDir": {"medium": "Memory"}},
        {"name": "devinf", "hostPath": {"path": "/dev/infiniband"}},
    ]


def test_what_is_written_stays() -> None:
    own = {"name": "dshm", "emptyDir": {}}
    context = {"privileged": False, "runAsUser": 0, "capabilities": {"add": ["CAP_SYS_ADMIN", "NET_RAW"], "drop": ["ALL"]}}
    container = {"name": "ome-container", "volumeMounts": [{"name": "dshm", "mountPath": "/shm"}], "securityContext": context}
    spec = pod(_RDMA, container, volumes=[own])
    (found,) = spec["containers"]
    assert [volume["name"] for volume in spec["volumes"]] == ["dshm", "devinf"]
    assert spec["volumes"][0] == own
    assert [mount["mountPath"] for mount in found["volumeMounts"]] == ["/shm", "/dev/infiniband"]
    added = {"add": ["CAP_SYS_ADMIN", "NET_RAW", "IPC_LOCK"], "drop": ["ALL"]}
    assert found["securityContext"] == {**context, "capabilities": added}


@pytest.mark.parametrize(
    ("annotations", "at"),
    [
        ({**_RDMA, "rdma.ome.io/container-name": "side"}, 0),
        ({**_RDMA, "rdma.ome.io/container-name": ""}, 1),
        ({**_RDMA, "rdma.ome.io/profile": ""}, 1),
        ({**_RDMA, "rdma.ome.io/container-name": "other"}, None),
        ({"rdma.ome.io/auto-inject": "yes"}, None),
    ],
)
def test_an_annotation_names_the_container(annotations: JSONObject, at: int | None) -> None:
    spec = pod(annotations, {"name": "side"}, {"name": "ome-container"})
    assert ["env" in found for found in spec["containers"]] == [at == 0, at == 1]
    assert bool(spec.get("volumes")) is (at is not None)


@pytest.mark.parametrize(
    ("annotations", "settings", "port"),
    [
        ({}, {}, None),
        (_SCRAPED, {}, "9091"),
        ({**_SCRAPED, "ome.io/enable-metric-aggregation": "true"}, {}, "9088"),
        ({}, {"enablePrometheusScraping": "true"}, "9091"),
        ({}, {"enablePrometheusScraping": "true", "enableMetricAggregation": "true"}, "9088"),
        ({"ome.io/enable-prometheus-scraping": "false"}, {"enablePrometheusScraping": "true"}, None),
    ],
)
def test_pods_are_scraped_as_annotation_or_settings_say(annotations: JSONObject, settings: JSONObject, port: str | None) -> None:
    found = admitted(template(annotations), {**SHIPPED, "metricsAggregator": settings}).template["metadata"]["annotations"]
    assert (found.get("prometheus.io/port"), found.get("prometheus.io/path")) == (port, "/metrics" if port else None)


_AGENT = {"image": "a:1", "compartmentId": "c", "authType": "InstancePrincipal", "cpuRequest": "1", "cpuLimit": "2"}
_SIDECAR = {"ome.io/inject-serving-sidecar": "true"}
_STRATEGY = {"ome.io/fine-tuned-weight-ft-strategy": "lora"}


def test_a_sidecar_needs_its_settings_and_a_strategy() -> None:
    settings = {**SHIPPED, "servingSidecar": _AGENT}
    assert admitted(template(_SIDECAR), settings).refusal == "failed to get the fine-tuned weight FT strategy for the serving sidecar"
    found = admitted(template({**_SIDECAR, **_STRATEGY}), settings)
    assert found.template["spec"]["containers"][1] == {
        "name": "serving-sidecar",
        "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}},
    }
    for lacking in ("image", "compartmentId", "authType"):
        half = {**SHIPPED, "servingSidecar": {**_AGENT, lacking: ""}}
        assert admitted(template({**_SIDECAR, **_STRATEGY}), half).is_missing == "servingSidecar"


def test_a_model_is_not_fetched_without_settings() -> None:
    assert admitted(template({"ome.io/inject-model-init": "true"}), {}).is_missing == "modelInit"


def config(**data: str) -> JSONObject:
    """The ConfigMap of OME's manager."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": CONFIG, "namespace": NAMESPACE}, "data": data}


def test_a_prediction_shows_what_the_webhook_adds() -> None:
    asked = service("{annotations: {rdma.ome.io/auto-inject: 'true'}}")
    found = predict(request_for(asked), cluster(), DEFAULT)
    assert found is not None
    (table,) = [table for table in found.as_json()["tables"] if table["title"].startswith("what OME's webhook adds")]
    assert table["title"] == "what OME's webhook adds to the pods of Deployment/chat-engine:"
    assert ["spec.containers[0].securityContext.privileged", "true"] in [list(row) for row in table["rows"]]


@pytest.mark.parametrize(
    ("deploy", "why"),
    [
        ("{no", "deploy of ConfigMap inferenceservice-config isn't JSON that OME can read"),
        ("{}", "defaultDeploymentMode in deploy of ConfigMap inferenceservice-config is empty, and OME takes RawDeployment or Serverless"),
        (
            '{"defaultDeploymentMode": "MultiNode"}',
            "defaultDeploymentMode in deploy of ConfigMap inferenceservice-config is MultiNode, and OME takes RawDeployment or Serverless",
        ),
    ],
)
def test_every_service_is_refused_by_settings_that_ome_cannot_use(deploy: str, why: str) -> None:
    decision = decide(request_for(service("{}")), cluster(config(deploy=deploy)), DEFAULT)
    assert not decision.allowed
    assert f"OME's webhook refuses every service: {why}" in decision.message


@pytest.mark.parametrize(
    ("data", "annotation"),
    [
        ({"deploy": '{"defaultDeploymentMode": "Serverless"}'}, None),
        ({"deploy": '{"defaultDeploymentMode": "RawDeployment"}'}, "RawDeployment"),
        ({}, None),
    ],
)
def test_the_settings_decide_about_the_mode_of_a_service(data: dict[str, str], annotation: str | None) -> None:
    made = made_of(service("{}"), cluster(config(ingress='{"ingressGateway": "g", "ingressService": "s"}', **data)))
    assert made.objects[1]["metadata"]["annotations"].get("ome.io/deploymentMode") == annotation
    assert [obj["kind"] for obj in made.objects].count("Service") == 1


@pytest.mark.parametrize(
    ("settings", "annotations", "words"),
    [
        ({"servingSidecar": "{}"}, _SIDECAR, "the ConfigMap inferenceservice-config has no servingSidecar that it can use"),
        ({}, {"ome.io/inject-model-init": "true"}, "the ConfigMap inferenceservice-config has no modelInit that it can use"),
        ({"servingSidecar": json.dumps(_AGENT)}, _SIDECAR, "its sidecar is for a fine-tuned weight with a strategy"),
        ({"servingSidecar": json.dumps(_AGENT)}, {**_SIDECAR, **_STRATEGY}, ""),
    ],
)
def test_pods_that_the_webhook_refuses_are_warned_of(settings: dict[str, str], annotations: JSONObject, words: str) -> None:
    asked = service("{}")
    asked["metadata"]["annotations"] = annotations
    installed = {"ingress": json.dumps(SHIPPED["ingress"]), "deploy": json.dumps(SHIPPED["deploy"])}
    decision = decide(request_for(asked), cluster(config(**installed, **settings)), DEFAULT)
    told = [finding for finding in decision.findings if finding.rule == "OME-164"]
    assert [finding.message for finding in told] == ([f"OME refuses the pods of engine: {words}"] if words else [])
    assert all(finding.path[:2] == ("metadata", "annotations") for finding in told)
