"""The whole pod of a component: its runner merged over the containers, the model, the changes by the class, the weights, and the labels of
nodes.
"""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.families.ome.operator import SHIPPED
from weighbridge.policies.families.ome.predictions.merge.components import components_of
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import as_admitted, templates_of
from weighbridge.policies.families.ome.predictions.merge.pods import CommonPart, NoContainerError, pod_of, with_default_probe
from weighbridge.policies.families.ome.predictions.merge.weights import FineTunedWeights
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, read_class
from weighbridge.policies.families.ome.subject.model import read_model
from weighbridge.policies.ground.objects import JSONObject

_READY = "models.ome.io/clusterbasemodel.llama"
_MOUNT = {"name": "llama", "mountPath": "/m", "readOnly": True}
_PATH = {"name": "MODEL_PATH", "value": "/m"}
_VOLUME = {"name": "llama", "hostPath": {"path": "/m"}}
_CLASS = read_class(
    {
        "metadata": {"name": "h100"},
        "spec": {
            "resources": [{"name": "nvidia.com/gpu", "quantity": "2"}],
            "discovery": {"nodeSelector": {"gpu": "h100", "pool": "class"}, "affinity": {"nodeAffinity": {}}},
        },
    }
)


def pod(
    spec: JSONObject,
    runtime: JSONObject | None = None,
    *,
    name: str = "engine",
    role: str = "",
    path: str = "/m",
    accelerator: AcceleratorClass | None = None,
    override: JSONObject | None = None,
    weights: FineTunedWeights | None = None,
) -> JSONObject:
    """The pod of a component whose service has this spec for it."""
    service = {"metadata": {"name": "chat", "namespace": "shop"}, "spec": {name: spec}}
    srt = {"kind": "ServingRuntime", "metadata": {"name": "srt"}, "spec": runtime or {}}
    storage = {"storage": {"path": path}} if path else {}
    model = read_model({"kind": "ClusterBaseModel", "metadata": {"name": "llama"}, "spec": {"modelFormat": {"name": "st"}, **storage}})
    [component] = components_of(service, srt)
    return pod_of(component, CommonPart(service, model, srt, accelerator, override, weights or FineTunedWeights()), role)


def test_a_runner_gets_the_model_and_its_pod_the_nodes_that_have_it() -> None:
    assert pod({"runner": {"name": "c", "image": "i"}, "minReplicas": 2, "labels": {"a": "b"}, "hostNetwork": True, "volumes": []}) == {
        "hostNetwork": True,
        "containers": [{"name": "c", "image": "i", "env": [_PATH], "volumeMounts": [_MOUNT]}],
        "volumes": [_VOLUME],
        "nodeSelector": {_READY: "Ready"},
    }
    assert pod({"runner": {"name": "c", "image": "i", "tty": None, "args": []}}, path="") == {
        "containers": [{"name": "c", "image": "i"}],
        "nodeSelector": {_READY: "Ready"},
    }


def test_a_runner_is_laid_over_the_container_of_its_name_or_comes_after_all() -> None:
    held = [{"name": "a", "args": ["1"]}, {"name": "b", "image": "old", "args": ["2"]}]
    found = pod({"containers": held, "runner": {"name": "b", "image": "new", "args": ["3"]}}, path="")
    assert found["containers"] == [held[0], {"name": "b", "image": "new", "args": ["2", "3"]}]
    found = pod({"containers": held, "runner": {"name": "c", "image": "new"}}, path="")
    assert found["containers"] == [*held, {"name": "c", "image": "new"}]


def test_without_a_runner_the_containers_stay_and_placeholders_of_the_first_alone_are_replaced() -> None:
    held = [{"name": "a", "image": "{{.Name}}"}, {"name": "b", "image": "{{.Name}}"}]
    found = pod({"containers": held, "volumes": [{"name": "v"}]})
    assert found["containers"] == [{"name": "a", "image": "chat"}, held[1]]
    assert found["volumes"] == [{"name": "v"}, _VOLUME]
    found = pod({"containers": held, "runner": {"name": "b"}}, path="")
    assert [one["image"] for one in found["containers"]] == ["{{.Name}}", "chat"]


@pytest.mark.parametrize(
    ("spec", "role", "error", "message"),
    [
        ({}, "", NoContainerError, "neither the service nor the runtime gives engine a container"),
        ({"leader": {}}, "leader", NoContainerError, "neither the service nor the runtime gives engine's leader a container"),
        (
            {"runner": {"name": "c"}, "worker": {}},
            "worker",
            NoContainerError,
            "neither the service nor the runtime gives engine's worker a",
        ),
    ],
)
def test_a_pod_without_a_container_can_t_be_made(spec: JSONObject, role: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        pod(spec, role=role)


def test_a_runner_without_a_name_gives_a_container_without_one() -> None:
    assert [one["name"] for one in pod({"runner": {}})["containers"]] == [""]


def test_a_leader_that_is_not_written_is_the_component_itself() -> None:
    spec = {"runner": {"name": "c"}, "worker": {"runner": {"name": "w"}, "size": 1}}
    assert [one["name"] for one in pod(spec, role="leader")["containers"]] == ["c"]
    assert [one["name"] for one in pod(spec, role="worker")["containers"]] == ["w"]
    spec["leader"] = {"runner": {"name": "l"}}
    assert [one["name"] for one in pod(spec, role="leader")["containers"]] == ["l"]


@pytest.mark.parametrize(
    ("own", "runtime", "accelerator", "expected"),
    [
        ({}, {}, None, None),
        ({}, {"limits": {"cpu": "1"}}, None, {"limits": {"cpu": "1"}}),
        ({"limits": {"cpu": "2"}}, {"limits": {"cpu": "1", "memory": "1Gi"}}, None, {"limits": {"cpu": "2"}}),
        ({"requests": {"cpu": "2"}}, {"limits": {"cpu": "1"}}, _CLASS, {"requests": {"cpu": "2"}}),
        ({}, {}, _CLASS, {"requests": {"nvidia.com/gpu": "2"}, "limits": {"nvidia.com/gpu": "2"}}),
        (
            {"limits": {}},
            {"limits": {"cpu": "1", "nvidia.com/gpu": "8"}},
            _CLASS,
            {"limits": {"cpu": "1", "nvidia.com/gpu": "2"}, "requests": {"nvidia.com/gpu": "2"}},
        ),
    ],
)
def test_the_resources_are_the_service_s_or_else_the_runtime_s_and_the_class_s(
    own: JSONObject, runtime: JSONObject, accelerator: AcceleratorClass | None, expected: JSONObject | None
) -> None:
    containers = [{"name": "other", "resources": {"limits": {"cpu": "9"}}}, {"name": "c", "resources": runtime}]
    runner = {"name": "c"} | ({"resources": own} if own else {})
    [made] = pod({"runner": runner}, {"containers": containers}, accelerator=accelerator)["containers"]
    assert made.get("resources") == expected


@pytest.mark.parametrize(
    ("spec", "limit", "size"),
    [
        ({}, "1", "1"),
        ({}, "8", "8"),
        ({}, "0", None),
        ({}, "-1", None),
        ({}, "many", None),
        ({}, None, None),
        ({"worker": {"size": 3}}, "2", "8"),
        ({"worker": {"size": 0}}, "2", "2"),
        ({"worker": {"size": 3}, "leader": {}}, "2", "8"),
    ],
)
@pytest.mark.parametrize("name", ["engine", "decoder"])
def test_leader_and_workers_get_the_number_of_all_gpus(name: str, spec: JSONObject, limit: str | None, size: str | None) -> None:
    runner: JSONObject = {"name": "c"} | ({"resources": {"limits": {"nvidia.com/gpu": limit}}} if limit is not None else {})
    [made] = pod({"runner": runner, **spec}, name=name, path="")["containers"]
    assert made.get("env") == ([{"name": "PARALLELISM_SIZE", "value": size}] if size is not None else None)
    [of_class] = pod({"runner": runner, **spec}, name=name, path="", accelerator=_CLASS)["containers"]
    assert "env" not in of_class


def test_the_first_pod_of_a_decoder_counts_where_a_leader_or_a_runner_says_what_it_runs() -> None:
    runner = {"name": "c", "resources": {"limits": {"nvidia.com/gpu": "2"}}}
    spec = {"worker": {"runner": runner, "size": 3}}
    cases: list[tuple[str, JSONObject, str]] = [
        *(("engine", {}, "8"), ("decoder", {}, "6")),
        *(("decoder", {"leader": {}}, "8"), ("decoder", {"runner": {}}, "8")),
    ]
    for name, more, size in cases:
        [made] = pod({**spec, **more}, name=name, role="worker", path="")["containers"]
        assert made["env"] == [{"name": "PARALLELISM_SIZE", "value": size}]


def test_a_class_sets_arguments_and_nodes_and_the_service_goes_over_them() -> None:
    override = {"environmentOverride": {"A": "1"}, "runtimeArgsOverride": ["--x"]}
    spec: JSONObject = {"runner": {"name": "c"}, "nodeSelector": {"pool": "own", "zone": "z"}}
    runtime = {"nodeSelector": {"pool": "runtime", "disk": "fast"}}
    found = pod(spec, runtime, accelerator=_CLASS, override=override, path="")
    assert found["containers"][0]["args"] == ["--x"]
    assert found["containers"][0]["env"] == [{"name": "A", "value": "1"}]
    assert found["nodeSelector"] == {"pool": "own", "zone": "z", _READY: "Ready", "disk": "fast", "gpu": "h100"}
    assert found["affinity"] == {"nodeAffinity": {}}
    assert pod({**spec, "affinity": {"podAffinity": {}}}, accelerator=_CLASS)["affinity"] == {"podAffinity": {}}
    assert pod({"runner": {"name": "c"}}, runtime, accelerator=_CLASS)["nodeSelector"] == {
        _READY: "Ready",
        "pool": "class",
        "disk": "fast",
        "gpu": "h100",
    }
    assert pod({"runner": {"name": "c"}}, runtime)["nodeSelector"] == {_READY: "Ready", "pool": "runtime", "disk": "fast"}
    assert pod({"runner": {"name": "c"}, "nodeSelector": {_READY: "Split"}})["nodeSelector"] == {_READY: "Split"}


_MEMORY = {"name": "model-empty-dir", "emptyDir": {"medium": "Memory"}}
_FOLDER: JSONObject = {"name": "model-empty-dir", "mountPath": "/opt/ml/model"}
_BASE = {"name": "model-empty-dir", "mountPath": "/opt/ml/model/st", "subPath": "base"}
_TUNED = {"name": "model-empty-dir", "mountPath": "/opt/ml/tfew/st", "readOnly": True, "subPath": "finetuned"}
_SERVED = {"name": "SERVED_MODEL_NAME", "value": "/data/w"}
_STACKED = {"name": "TFEW_PATH", "value": "/opt/ml/tfew/fastertransformer/1"}


@pytest.mark.parametrize(
    ("weights", "env", "mounts", "volumes"),
    [
        (FineTunedWeights(), [_PATH], [_MOUNT], [_VOLUME]),
        (FineTunedWeights(is_fetched=True), None, None, [_VOLUME, _MEMORY]),
        (FineTunedWeights("w"), None, [_MOUNT, _FOLDER], [_VOLUME]),
        (FineTunedWeights("w", "lora"), None, [_MOUNT, _FOLDER], [_VOLUME, _MEMORY]),
        (FineTunedWeights("w", "lora", is_merged=True), None, [_FOLDER], [_VOLUME, _MEMORY]),
        (FineTunedWeights("w", is_merged=True), None, [_MOUNT, _FOLDER], [_VOLUME]),
        (FineTunedWeights("w", "lora", is_fetched=True), None, [_FOLDER], [_VOLUME, _MEMORY]),
        (
            FineTunedWeights("w", "lora", vendor="meta"),
            [_SERVED, {"name": "MODEL_PATH", "value": "/opt/ml/model"}],
            [_MOUNT, _FOLDER],
            [_VOLUME, _MEMORY],
        ),
        (FineTunedWeights("w", "tfew", vendor="cohere", form="st"), [_STACKED], [_MOUNT, _BASE, _TUNED], [_VOLUME, _MEMORY]),
        (FineTunedWeights("w", "tfew", is_merged=True, vendor="cohere", form="st"), None, [_FOLDER], [_VOLUME, _MEMORY]),
        (FineTunedWeights("w", "lora", vendor="cohere", form="st"), None, [_MOUNT, _FOLDER], [_VOLUME, _MEMORY]),
        (FineTunedWeights(vendor="meta"), [_PATH], [_MOUNT], [_VOLUME]),
    ],
)
def test_what_fine_tuned_weights_change_of_a_pod(weights: FineTunedWeights, env: Any, mounts: Any, volumes: list[JSONObject]) -> None:
    found = pod({"runner": {"name": "c"}}, weights=weights)
    [container] = found["containers"]
    assert (container.get("env"), container.get("volumeMounts"), found["volumes"]) == (env, mounts, volumes)
    assert ("nodeSelector" in found) is not weights.is_merged


def test_a_probe_is_put_where_ome_s_own_container_has_none() -> None:
    probe = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
    main = {"name": "ome-container"}
    for ports, port in ((None, 8080), ([], 8080), ([{}], 8080), ([{"containerPort": 90}, {"containerPort": 91}], 90)):
        given: JSONObject = main | ({"ports": ports} if ports is not None else {})
        asked = {**given, "readinessProbe": {"tcpSocket": {"port": port}, **probe}}
        assert with_default_probe({"containers": [given, {"name": "x"}], "a": 1}) == {"containers": [asked, {"name": "x"}], "a": 1}
    own = {"containers": [{**main, "readinessProbe": {}}]}
    assert with_default_probe(own) == own
    assert with_default_probe({"containers": [{"name": "x", "ports": [{"containerPort": 1}]}, main]})["containers"][1] == {
        **main,
        "readinessProbe": {"tcpSocket": {"port": 8080}, **probe},
    }


def test_leader_and_workers_have_templates_of_their_own() -> None:
    leader, worker = {"metadata": {"annotations": {"a": "1"}}}, {"metadata": {"annotations": {"b": "2"}}}
    group = {"kind": "LeaderWorkerSet", "spec": {"leaderWorkerTemplate": {"size": 2, "leaderTemplate": leader, "workerTemplate": worker}}}
    assert list(templates_of(group)) == [("leader", leader), ("worker", worker)]
    assert list(templates_of({"kind": "Deployment", "spec": {"replicas": 1, "template": leader}})) == [("", leader)]
    assert list(templates_of({"kind": "Service", "spec": {"template": leader}})) == []
    admitted = as_admitted(group, SHIPPED)
    assert [template["metadata"]["annotations"] for _, template in templates_of(admitted)] == [
        {**_NO_METRICS, "a": "1"},
        {**_NO_METRICS, "b": "2"},
    ]


_NO_METRICS = {"ome.io/enable-metric-aggregation": "false", "ome.io/enable-prometheus-scraping": "false"}
