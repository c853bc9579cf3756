"""The whole LeaderWorkerSet and the Service in front that the controller creates for a Service, and its additions to their pods."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmaz.test_whole_playgrounds import facts_of
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.llmaz.kinds import SERVICE, SKIP_ANNOTATION
from weighbridge.policies.families.llmaz.predictions.service import predict
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request

RUNNER: JSONObject = {"name": "model-runner", "image": "e", "env": [{"name": "A", "value": "1"}]}
MOUNT: JSONObject = {"name": "model-volume", "mountPath": "/workspace/models/"}
CONFIG = "init-container-image: loader:1\n"
FLAVORS = [{"name": "t4", "limits": {"nvidia.com/gpu": 1}}, {"name": "a10", "limits": {"nvidia.com/gpu": 2, "cpu": "8"}}]
LABELS = {"llmaz.io/model-name": "a", "llmaz.io/model-family-name": "opt"}


def a_model(name: str, flavors: list[JSONObject] | None = None, **source: Any) -> JSONObject:
    spec = {"familyName": "opt", "source": source or {"modelHub": {"modelID": f"org/{name}"}}}
    config = {} if flavors is None else {"inferenceConfig": {"flavors": flavors}}
    return {"apiVersion": "llmaz.io/v1alpha1", "kind": "OpenModel", "metadata": {"name": name}, "spec": {**spec, **config}}


MODELS = (
    a_model("a", FLAVORS),
    a_model("ollama", uri="ollama://llama3.3"),
    a_model("s3", uri="s3://bucket/opt"),
    a_model("oss", uri="oss://bucket.endpoint/opt/model.gguf"),
    a_model("folder", uri="host:///mnt/opt"),
)


def predicted(template: JSONObject, *models: str, flavors: list[str] | None = None, skip: bool = False, **spec: Any) -> Prediction:
    claims = {"models": [{"name": name, "role": "main" if place == 0 else "draft"} for place, name in enumerate(models or ("a",))]}
    given = {"modelClaims": {**claims, **({"inferenceFlavors": flavors} if flavors else {})}, "workloadTemplate": template, **spec}
    annotations = {"annotations": {SKIP_ANNOTATION: "true"}} if skip else {}
    metadata = {"name": "s", "namespace": "ns", **annotations}
    obj = {"apiVersion": "inference.llmaz.io/v1alpha1", "kind": "Service", "metadata": metadata, "spec": given}
    settings = {"name": "llmaz-global-config", "namespace": "llmaz-system"}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": settings, "data": {"config.data": CONFIG}}
    request = Request("1", Operation.CREATE, SERVICE, obj, namespace="ns", name="s")
    found = predict(request, facts_of(*MODELS, config), DEFAULT)
    assert found is not None
    assert found.failure == ""
    return found


def workers(*containers: JSONObject) -> JSONObject:
    return {"workerTemplate": {"spec": {"containers": list(containers or (RUNNER,))}}}


def templates(found: Prediction) -> Any:
    return found.objects[0]["spec"]["leaderWorkerTemplate"]


def the_container(found: Prediction, template: str = "workerTemplate") -> Any:
    return templates(found)[template]["spec"]["containers"][0]


def test_a_service_is_a_leader_worker_set_and_a_service_in_front() -> None:
    hub = {"secretKeyRef": {"name": "modelhub-secret", "key": "HF_TOKEN", "optional": True}}
    loader = {
        "name": "model-loader",
        "image": "loader:1",
        "env": [
            {"name": "A", "value": "1"},
            {"name": "MODEL_SOURCE_TYPE", "value": "modelhub"},
            {"name": "MODEL_ID", "value": "org/a"},
            {"name": "MODEL_HUB_NAME", "value": "Huggingface"},
            {"name": "REVISION", "value": "main"},
            {"name": "HUGGING_FACE_HUB_TOKEN", "valueFrom": hub},
            {"name": "HF_TOKEN", "valueFrom": hub},
        ],
        "volumeMounts": [MOUNT],
    }
    gpus = {"nvidia.com/gpu": "1"}
    rollout = {"type": "RollingUpdate", "rollingUpdateConfiguration": {"maxUnavailable": "50%", "maxSurge": 1}}
    restart = {"restartPolicy": "None", "subGroupPolicy": {"subGroupSize": 1}}
    found = predicted({**workers(), "size": 3, **restart}, replicas=2, rolloutStrategy=rollout)
    runner = {**RUNNER, "volumeMounts": [{**MOUNT, "readOnly": True}], "resources": {"limits": gpus, "requests": gpus}}
    pod = {"containers": [runner], "initContainers": [loader], "volumes": [{"name": "model-volume", "emptyDir": {}}]}
    assert list(found.objects) == [
        {
            "apiVersion": "leaderworkerset.x-k8s.io/v1",
            "kind": "LeaderWorkerSet",
            "metadata": {"name": "s", "namespace": "ns"},
            "spec": {
                "replicas": 2,
                "startupPolicy": "LeaderReady",
                "rolloutStrategy": rollout,
                "leaderWorkerTemplate": {
                    "workerTemplate": {"metadata": {"labels": LABELS}, "spec": pod},
                    "size": 3,
                    "restartPolicy": "RecreateGroupOnPodRestart",
                },
            },
        },
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "s-lb", "namespace": "ns", "annotations": {"activator.llmaz.io/model-name": "a"}},
            "spec": {
                "type": "ClusterIP",
                "ports": [{"name": "http", "port": 8080, "targetPort": 8080}],
                "selector": {"leaderworkerset.sigs.k8s.io/name": "s", "leaderworkerset.sigs.k8s.io/worker-index": "0"},
            },
        },
    ]
    (written,) = found.status["conditions"]
    assert (written["type"], written["reason"]) == ("Progressing", "ServiceInProgress")


def test_a_leader_gets_the_labels_and_both_get_the_flavor() -> None:
    own = {"labels": {"app": "x", "llmaz.io/model-name": "mine"}}
    leader = {"metadata": own, "spec": {"containers": [{"name": "model-runner", "image": "e"}]}}
    found = predicted({"leaderTemplate": leader, **workers()}, flavors=["a10", "t4"])
    assert templates(found)["leaderTemplate"]["metadata"] == {
        "labels": {"app": "x", **LABELS},
        "annotations": {"llmaz.io/inference-service-flavors": "a10,t4"},
    }
    assert "metadata" not in templates(found)["workerTemplate"]
    wanted = {"nvidia.com/gpu": "2", "cpu": "8"}
    for template in ("leaderTemplate", "workerTemplate"):
        assert the_container(found, template)["resources"] == {"limits": wanted, "requests": wanted}


@pytest.mark.parametrize(
    ("flavors", "resources"),
    [
        (["t4"], {"limits": {"cpu": "4", "nvidia.com/gpu": "1"}, "requests": {"nvidia.com/gpu": "1"}}),
        (["a10"], {"limits": {"cpu": "8", "nvidia.com/gpu": "2"}, "requests": {"cpu": "8", "nvidia.com/gpu": "2"}}),
        # The model has no such flavor.
        (["h100", "t4"], {"limits": {"cpu": "4"}}),
    ],
)
def test_the_first_claimed_flavor_overwrites_what_it_names(flavors: list[str], resources: JSONObject) -> None:
    found = predicted(workers({**RUNNER, "resources": {"limits": {"cpu": 4}}}), flavors=flavors)
    assert the_container(found)["resources"] == resources


def test_limits_go_nowhere_without_the_container() -> None:
    other = {"name": "other", "image": "e"}
    found = predicted({"leaderTemplate": {"spec": {"containers": [other]}}, **workers()})
    assert the_container(found, "leaderTemplate") == other


def test_loaders_are_numbered_by_the_place_of_their_model() -> None:
    found = predicted(workers(), "ollama", "oss")
    (loader,) = templates(found)["workerTemplate"]["spec"]["initContainers"]
    assert loader["name"] == "model-loader-1"
    plain = {variable["name"]: variable["value"] for variable in loader["env"] if "value" in variable}
    assert plain == {
        "A": "1",
        "MODEL_SOURCE_TYPE": "objstore",
        "PROVIDER": "OSS",
        "ENDPOINT": "endpoint",
        "BUCKET": "bucket",
        "MODEL_PATH": "opt/model.gguf",
    }
    assert [variable["name"] for variable in loader["env"][-2:]] == ["OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET"]


def test_of_s3_the_loader_is_told_nothing() -> None:
    (loader,) = templates(predicted(workers(), "s3"))["workerTemplate"]["spec"]["initContainers"]
    assert loader["env"] == RUNNER["env"]


@pytest.mark.parametrize(
    ("model", "added"),
    [
        ("a", ["HUGGING_FACE_HUB_TOKEN"]),
        ("s3", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]),
        ("oss", ["OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET"]),
        ("ollama", []),
        ("folder", []),
    ],
)
def test_without_a_loader_the_container_gets_the_secrets_that_it_lacks(model: str, added: list[str]) -> None:
    own = [{"name": "HF_TOKEN", "value": "x"}]
    found = predicted(workers({"name": "model-runner", "image": "e", "env": own}), model, skip=True)
    spec = templates(found)["workerTemplate"]["spec"]
    assert [variable["name"] for variable in spec["containers"][0]["env"]] == ["HF_TOKEN", *added]
    assert not spec.keys() & {"initContainers", "volumes"}
    assert "volumeMounts" not in spec["containers"][0]
