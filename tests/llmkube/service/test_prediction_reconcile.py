"""How far the operator gets with a service: what it waits for, why it fails, and what it creates until then."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llmkube.service.predicting import GROUP, KNOWN, a_model, a_service, condition, made, predict, value
from weighbridge.policies.families.llmkube.operator import KnownOperator as Running
from weighbridge.policies.families.llmkube.settings import Operator
from weighbridge.policies.families.llmkube.upstream import gpu_shares, parallelism
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import judging, nearest

DRAFTED: dict[str, Any] = {"speculativeDecoding": {"type": "draft", "draftModelRef": "d"}}
NODE_PORT = {"type": "NodePort", "nodePort": 31999}


def kinds(found: Any) -> list[str]:
    return [obj["kind"] for obj in found.objects]


def test_a_model_that_is_not_there_fails_the_service() -> None:
    found = predict(a_service())
    assert condition(found, "Degraded") == ("True", "Failed", "Model not found")
    assert (found.failure, found.objects) == ("Model not found", ())


def test_a_model_that_is_not_known_is_not_guessed_at() -> None:
    found = predict(a_service(), known=[kind for kind in KNOWN if kind != (GROUP, "Model")])
    assert (found.status, found.failure) == ({}, "")
    assert [entry.reason for entry in found.unchecked] == ["Model m isn't known"]


def test_a_service_without_a_models_name_fails_whatever_is_known() -> None:
    assert predict(a_service(modelRef=""), known=()).failure == "Model not found"


def test_a_service_waits_for_a_model_that_failed_and_says_why() -> None:
    found = predict(a_service(), a_model(source="/data/m.gguf"))
    assert (found.status["phase"], found.status.get("modelReady")) == ("Pending", None)
    assert found.failure.startswith("Waiting for Model to be Ready: local/hostPath model sources are disabled")


def test_a_model_that_came_later_leaves_its_mark() -> None:
    found = predict(a_service(minute=1), a_model(minute=2))
    assert found.status["phase"] == "Creating"
    assert condition(found, "Degraded") == ("True", "Failed", "Model not found")
    # The condition stays from before; nothing fails any more.
    assert (found.failure, found.kept) == ("", "Model not found")
    earlier = predict(a_service(minute=2), a_model(minute=1))
    assert (condition(earlier, "Degraded"), earlier.failure, earlier.kept) == (None, "", "")


def test_a_service_that_was_ready_since_bears_no_mark() -> None:
    assert condition(predict(a_service() | {"status": {"phase": "Ready"}}, a_model(minute=2)), "Degraded") is None


def test_a_draft_model_is_waited_for() -> None:
    assert predict(a_service(**DRAFTED), a_model()).failure == 'Draft model "d" not found'
    waiting = predict(a_service(**DRAFTED), a_model(), a_model("d", source="/x"))
    assert condition(waiting, "Progressing") == ("True", "Pending", 'Waiting for draft model "d" to be Ready')
    assert predict(a_service(**DRAFTED), a_model(), a_model("d")).status["phase"] == "Creating"
    assert predict(a_service(**DRAFTED), a_model(), version="v0.9.17").status["phase"] == "Creating"


def test_metal_has_no_pod_but_a_claim_and_an_address() -> None:
    found = predict(a_service(autoscaling={"maxReplicas": 2}), a_model(hardware={"accelerator": "metal"}))
    assert kinds(found) == ["PersistentVolumeClaim"]
    assert found.status["schedulingStatus"] == "WaitingForMetalAgent"
    assert found.status["endpoint"] == "http://svc.team-a.svc.cluster.local:8080/v1/chat/completions"


def test_of_an_engines_settings_metal_is_only_warned_of_memory() -> None:
    spec: dict[str, Any] = {"runtime": "vllm", "vllmConfig": {"cpuOffloadGB": 8}, "moeCPUOffload": True}
    in_pods = {event.reason for event in predict(a_service(**spec), a_model(source="org/m")).events}
    on_metal = {event.reason for event in predict(a_service(**spec), a_model(source="org/m", hardware={"accelerator": "metal"})).events}
    assert in_pods - on_metal == {"CPUOffloadUnverified"}
    assert "MissingMemoryRequest" in on_metal


def test_a_suspended_service_has_a_deployment_without_pods_and_no_autoscaler() -> None:
    found = predict(a_service(suspend=True, replicas=2, autoscaling={"maxReplicas": 3}), a_model())
    assert kinds(found) == ["PersistentVolumeClaim", "Deployment", "Service"]
    assert made(found, "Deployment")["spec"]["replicas"] == 0
    assert found.status["phase"] == "Suspended"
    assert predict(a_service(suspend=True), a_model(), version="v0.9.5").status["phase"] == "Creating"


@pytest.mark.parametrize(
    ("spec", "made_before"),
    [
        ({"resources": {"cpu": "two"}}, ["PersistentVolumeClaim"]),
        ({"resources": {"memory": "4 GB"}}, ["PersistentVolumeClaim"]),
        ({"resources": {"hostMemory": "lots", "memory": "1Gi"}}, ["PersistentVolumeClaim"]),
        (
            {"autoscaling": {"maxReplicas": 3, "metrics": [{"type": "Pods", "name": "x", "targetAverageValue": "lots"}]}},
            ["PersistentVolumeClaim", "Deployment", "Service"],
        ),
    ],
)
def test_an_amount_that_is_none_leaves_no_status(spec: JSONObject, made_before: list[str]) -> None:
    found = predict(a_service(**spec, slo={"objective": "99"}), a_model())
    assert kinds(found) == made_before
    assert found.failure.startswith("cannot parse '")
    # The objects and conditions of other controllers are there all the same.
    assert [entry["type"] for entry in found.status["conditions"]] == ["SLOReady"]


def test_memory_behind_host_memory_is_never_read() -> None:
    assert not predict(a_service(resources={"memory": "4 GB", "hostMemory": "1Gi"}), a_model()).failure


def test_an_autoscaler_that_is_refused_leaves_no_status() -> None:
    found = predict(a_service(autoscaling={"minReplicas": 5, "maxReplicas": 2}), a_model())
    assert kinds(found) == ["PersistentVolumeClaim", "Deployment", "Service"]
    assert found.status == {}
    assert found.failure.startswith('HorizontalPodAutoscaler.autoscaling "svc" is invalid: spec.maxReplicas: Invalid value: 2: must be')


@pytest.mark.parametrize(
    "taken_by",
    [
        a_service("other", endpoint=NODE_PORT, minute=0),
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x", "namespace": "b"}, "spec": {"ports": [{"nodePort": 31999}]}},
    ],
)
def test_a_node_port_that_is_taken_fails_the_service(taken_by: JSONObject) -> None:
    found = predict(a_service(endpoint=NODE_PORT), a_model(), taken_by)
    assert condition(found, "Degraded") == ("True", "Failed", "Failed to create Service")
    assert found.failure.endswith("spec.ports[0].nodePort: Invalid value: 31999: provided port is already allocated")
    assert kinds(found) == ["PersistentVolumeClaim", "Deployment"]


@pytest.mark.parametrize(("version", "is_refused"), [("1.35", True), ("1.36", False)])
def test_a_service_begins_with_a_letter_before_1_36(version: str, is_refused: bool) -> None:
    release = nearest(version)
    assert release is not None
    with judging(release):
        found = predict(a_service("8b"), a_model())
    assert found.failure.startswith('Failed to create Service: Service "8b" is invalid: metadata.name: ') is is_refused
    assert ("Service" not in kinds(found)) is is_refused


def test_a_cache_of_no_size_fails_the_service() -> None:
    found = predict(a_service(), a_model(), operator=Operator(model_cache_size="0"))
    assert found.failure.endswith('spec.resources[storage]: Invalid value: "0": must be greater than zero')


def test_the_earlier_of_two_services_keeps_the_node_port() -> None:
    assert not predict(a_service(endpoint=NODE_PORT, minute=1), a_model(), a_service("later", endpoint=NODE_PORT, minute=2)).failure


def test_a_service_may_meet_itself_in_the_cluster() -> None:
    own = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "svc", "namespace": "team-a"},
        "spec": {"ports": [{"nodePort": 31999}]},
    }
    assert not predict(a_service(endpoint=NODE_PORT), a_model(), own).failure


def test_of_two_names_that_meet_the_first_has_the_service() -> None:
    later = predict(a_service("a.b", minute=2), a_model(), a_service("a-b", minute=1))
    assert "Service" not in kinds(later)
    assert later.status["endpoint"].startswith("http://a-b.team-a.")
    assert "Service" in kinds(predict(a_service("a.b", minute=1), a_model(), a_service("a-b", minute=2)))


def test_a_port_that_the_container_does_not_listen_on_is_told() -> None:
    assert "nothing answers" in value(predict(a_service(runtime="vllm"), a_model()), "ports[0].port").reason
    assert "nothing answers" not in value(predict(a_service(), a_model()), "ports[0].port").reason


def test_a_claim_that_is_not_there_fails_the_service() -> None:
    found = predict(a_service(modelCache={"claimName": "nope"}), a_model())
    assert (found.status["phase"], found.status["replicas"], found.objects) == ("Failed", 1, ())
    assert found.failure.startswith('Failed to ensure model cache PVC: model cache PVC "nope" (spec.modelCache.claimName) not found')
    assert "ModelCachePVCNotFound" in [event.reason for event in found.events]


@pytest.mark.parametrize(
    ("gpu", "sharing_asked", "text"),
    [
        ({"count": 2}, {"mode": "shared"}, 'gpuSharing mode "shared" requires exactly 1 GPU, got 2'),
        (
            {"count": 1, "resourceClaims": [{"name": "g", "resourceClaimName": "c"}]},
            {"mode": "shared"},
            "cannot be combined with hardware.gpu.resourceClaims",
        ),
        ({"count": 1, "vendor": "amd"}, {"mode": "partitioned", "profile": "1g.24gb"}, 'not supported for GPU vendor "amd"'),
        (
            {"count": 1, "resourceName": "a/b"},
            {"mode": "partitioned", "profile": "1g.24gb"},
            'conflicts with hardware.gpu.resourceName "a/b"',
        ),
        ({"count": 1}, {"mode": "partitioned", "profile": "1g24"}, 'gpuSharing.profile "1g24" is not a valid MIG profile'),
        ({"count": 1}, {"mode": "shared"}, "requires a configured shared pool"),
        ({"count": 1, "vendor": "amd"}, {"mode": "shared"}, ""),
        ({"count": 4}, {"mode": "exclusive"}, ""),
    ],
)
def test_gpus_are_shared_one_by_one(gpu: JSONObject, sharing_asked: JSONObject, text: str) -> None:
    found = predict(a_service(resources={"gpuSharing": sharing_asked}), a_model(hardware={"gpu": gpu}))
    assert (text in found.failure) if text else not found.failure
    assert not predict(a_service(resources={"gpuSharing": sharing_asked}), a_model(hardware={"gpu": gpu}), version="v0.9.8").failure


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({"vllmConfig": {"tensorParallelSize": 3}}, "vllmConfig.tensorParallelSize 3 exceeds the 2 GPU(s)"),
        ({"sglangConfig": {"tensorParallelSize": 2, "dataParallelSize": 2}}, "(2 x 2) needs 4 GPUs but this pod requests 2"),
        ({"sglangConfig": {"expertParallelSize": 4}}, "expert parallelism cannot exceed the pod's world size"),
        ({"sglangConfig": {"tensorParallelSize": 2, "expertParallelSize": 2}}, ""),
    ],
)
def test_a_model_is_split_over_the_pods_own_gpus(spec: JSONObject, text: str) -> None:
    model = a_model(hardware={"gpu": {"count": 2}})
    found = parallelism.problem(model, a_service(**spec), Running())
    assert (text in found) if text else not found
    assert not parallelism.problem(a_model(), a_service(**spec), Running())
    assert not parallelism.problem(model, a_service(**spec), Running(version=(0, 9, 12)))


@pytest.mark.parametrize(("size", "text"), [(2, "cannot use sglangConfig.dataParallelSize > 1"), (1, "")])
def test_a_gpu_that_is_shared_is_not_split(size: int, text: str) -> None:
    service = a_service(resources={"gpuSharing": {"mode": "shared"}}, sglangConfig={"dataParallelSize": size})
    found = gpu_shares.split_problem(service, Running())
    assert (text in found) if text else not found
    assert not gpu_shares.split_problem(service, Running(version=(0, 9, 8)))


def test_settings_tell_where_they_are_from() -> None:
    settings = {setting.name: setting for setting in predict(a_service(), a_model(), operator=Operator(default_fs_group=7)).settings}
    assert (settings["--default-fsgroup"].value, settings["--default-fsgroup"].origin) == (7, "configuration")
    assert settings["--dri-render-gid"].origin == "upstream default"


def test_a_name_that_the_server_makes_is_taken_for_good() -> None:
    service = a_service()
    service["metadata"] = {"generateName": "svc-"}
    found = predict(service, a_model())
    assert found.status["endpoint"] == "http://svc-xxxxx.team-a.svc.cluster.local:8080/v1/chat/completions"


def served(**spec: Any) -> JSONObject:
    """A service whose objects exist."""
    times = {"lastUpdated": "2026-01-01T00:00:00Z"}
    progressing = {
        "type": "Progressing",
        "status": "True",
        "reason": "Creating",
        "message": "...",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    status = {"phase": "Creating", "endpoint": "http://svc.team-a.svc.cluster.local:8080/v1/chat/completions", "conditions": [progressing]}
    return a_service(**spec) | {"status": {**status, **times}}


@pytest.mark.parametrize(
    ("spec", "failure"),
    [
        ({"runtimeClassName": "Not_A_Name"}, 'Failed to update Deployment: Deployment.apps "svc" is invalid: '),
        ({"resources": {"cpu": "abc"}}, "cannot parse 'abc'"),
        ({"autoscaling": {"maxReplicas": 2, "metrics": [{"type": "Pods", "name": "x"}]}}, "HorizontalPodAutoscaler.autoscaling"),
    ],
)
def test_an_update_that_is_refused_leaves_the_status(spec: JSONObject, failure: str) -> None:
    found = predict(served(**spec), a_model())
    assert found.failure.startswith(failure)
    assert (found.status["phase"], "lastUpdated" in found.status) == ("Creating", False)
    assert found.status["conditions"] == [{"type": "Progressing", "status": "True", "reason": "Creating", "message": "..."}]


def test_a_service_that_leaves_its_mac_gets_a_new_deployment() -> None:
    before = served(runtimeClassName="Not_A_Name")
    found = predict(before | {"status": {**before["status"], "schedulingStatus": "WaitingForMetalAgent"}}, a_model())
    assert found.failure.startswith("Failed to create Deployment: ")
