"""Parts of a service that no recording has: labels, annotations, amounts, and derived templates."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.labels import label_value
from weighbridge.policies.families.aim.predictions.service import predict
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

PROFILE = {"metadata": {"type": "optimized", "metric": "latency", "gpu": "MI300X", "gpuCount": 2}}
KINDS = (
    *("AIMModel", "AIMClusterModel", "AIMServiceTemplate", "AIMClusterServiceTemplate"),
    *("AIMRuntimeConfig", "AIMClusterRuntimeConfig"),
)


#: The affinity that aim-engine writes into the status of a template of MI300X.
RESOLVED_AFFINITY = {
    "requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [
            {"matchExpressions": [{"key": "amd.com/gpu.device-id", "operator": "In", "values": ["74a1", "74a9", "74b5", "74bd"]}]}
        ]
    }
}


def template(group: str, name: str = "fast", **more: Any) -> dict[str, Any]:
    """A Ready template; one of aim-engine has in its status all that discovery writes."""
    gpus: dict[str, Any] = (
        {"gpuSelector": {"count": 2, "model": "MI300X", "resourceName": "amd.com/gpu"}}
        if group == OLD
        else {"hardware": {"gpu": {"requests": 2, "model": "MI300X", "resourceName": "amd.com/gpu"}}}
    )
    source = {"name": "Acme/Llama:8B", "modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}
    status: dict[str, Any] = {"status": "Ready", "profile": copy.deepcopy(PROFILE), "modelSources": [source]}
    if group == NEW:
        status |= {"resolvedHardware": copy.deepcopy(gpus["hardware"]), "resolvedNodeAffinity": copy.deepcopy(RESOLVED_AFFINITY)}
    spec = {"modelName": "llama", **gpus, **more.pop("spec", {})}
    return made(group, "AIMServiceTemplate", name, spec, {**status, **more})


def made(group: str, kind: str, name: str, spec: dict[str, Any], status: dict[str, Any] | None = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name} if "Cluster" in kind else {"name": name, "namespace": "shop"}
    found = {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}
    return {**found, "status": status} if status else found


def predicted(
    group: str, spec: dict[str, Any], *held: dict[str, Any], name: str = "chat", state: str = "Ready", **metadata: Any
) -> Prediction:
    """The prediction of a service of model `llama` in that state, in a cluster without other objects."""
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"amd.com/gpu.device-id": "74a1"}}}
    model = made(group, "AIMModel", "llama", {"image": "ghcr.io/acme/llama:1"}, {"status": state})
    facts = from_objects([node, model, *held], bundled_definitions())
    facts.objects.complete(besides=[(group, kind) for kind in KINDS])
    spec = {"model": {"ref" if group == OLD else "name": "llama"}, **spec}
    service = made(group, "AIMService", name, spec)
    service["metadata"] |= metadata
    found = predict(
        Request("1", Operation.CREATE, GroupVersionKind(group, "v1alpha1", "AIMService"), service, namespace="shop"), facts, DEFAULT
    )
    assert found is not None
    return found


def inference_service(*given: Any, **more: Any) -> dict[str, Any]:
    found = predicted(*given, **more)
    return next(obj for obj in found.objects if obj["kind"] == "InferenceService")


def container(*given: Any, **more: Any) -> dict[str, Any]:
    spec = inference_service(*given, **more)["spec"]["predictor"]
    out: dict[str, Any] = spec.get("model") or spec["containers"][0]
    return out


def test_kaiwo_copies_the_annotations_of_a_service_and_says_no_more_of_what_is_there() -> None:
    own = {"note": "x", "serving.kserve.io/autoscalerClass": "hpa"}
    assert inference_service(OLD, {}, template(OLD), annotations=own)["metadata"]["annotations"] == own
    scaled = inference_service(OLD, {"autoScaling": {"metrics": []}}, template(OLD), annotations=own)["metadata"]["annotations"]
    assert scaled == own | {"prometheus.kserve.io/port": "8000", "sidecar.opentelemetry.io/inject": "chat-predictor"}


def test_aim_engine_copies_no_annotation() -> None:
    found = inference_service(NEW, {}, template(NEW), annotations={"note": "x"})["metadata"]["annotations"]
    assert found == {"serving.kserve.io/autoscalerClass": "none"}


def test_names_are_made_fit_for_labels() -> None:
    labels = inference_service(OLD, {}, template(OLD))["metadata"]["labels"]
    assert labels["aim.silogen.ai/model-id"] == "Acme_Llama_8B"
    assert label_value(f"{'a' * 62}.{'b' * 20}") == "a" * 62


def test_kaiwo_takes_the_resources_of_a_service_whole_though_they_be_empty() -> None:
    held = template(OLD, spec={"resources": {"limits": {"cpu": "9"}}})
    assert container(OLD, {}, held)["resources"]["limits"] == {"memory": "96Gi", "cpu": "9", "amd.com/gpu": "2"}
    assert container(OLD, {"resources": {}}, held)["resources"]["limits"] == {"memory": "96Gi", "amd.com/gpu": "2"}


@pytest.mark.parametrize(("group", "claims"), [(OLD, [{"name": "net"}]), (NEW, None)])
def test_kaiwo_alone_keeps_claims(group: str, claims: Any) -> None:
    assert container(group, {"resources": {"claims": [{"name": "net"}]}}, template(group))["resources"].get("claims") == claims


def test_kaiwo_counts_the_gpus_of_the_profile_alone() -> None:
    assert container(OLD, {}, template(OLD, profile={"metadata": {"type": "optimized"}}))["resources"] == {}


def test_a_blank_gpu_of_a_template_is_that_of_its_profile_to_kaiwo_and_none_of_the_cluster_to_aim_engine() -> None:
    old = template(OLD, spec={"gpuSelector": {"count": 2, "model": " "}})
    assert predicted(OLD, {}, old).status["resolvedTemplate"]["name"] == "fast"
    new = template(NEW, spec={"hardware": {"gpu": {"requests": 2, "model": " "}}})
    assert predicted(NEW, {}, new).failure == "the cluster has none of the templates' GPUs"


def test_kaiwo_trims_the_names_of_models_and_templates() -> None:
    assert predicted(OLD, {"model": {"ref": " llama "}}, template(OLD)).status["resolvedTemplate"]["name"] == "fast"
    assert predicted(OLD, {"templateRef": " fast "}, template(OLD)).status["resolvedTemplate"]["name"] == "fast"


@pytest.mark.parametrize(
    ("spec", "is_reused"),
    [({}, True), ({"runtimeConfigName": "default"}, True), ({"runtimeConfigName": "team"}, False), ({"cacheModel": True}, False)],
)
def test_kaiwo_reuses_a_template_that_has_the_config_and_the_caching_of_the_service(spec: dict[str, Any], is_reused: bool) -> None:
    team = made(OLD, "AIMRuntimeConfig", "team", {})
    held = template(OLD, spec={"metric": "latency"})
    found = predicted(OLD, {"templateRef": "fast", "overrides": {"metric": "latency"}, **spec}, held, team)
    assert (found.status.get("resolvedTemplate", {}).get("name") == "fast") is is_reused


CUSTOM: dict[str, Any] = {
    "baseImage": "ghcr.io/acme/base:1",
    "hardware": {"gpu": {"requests": 1}},
    "modelSources": [{"modelId": "acme/llama-8b", "sourceUri": "hf://acme/llama-8b"}],
}


def test_a_described_model_without_an_image_is_refused_as_it_is_made() -> None:
    found = predicted(NEW, {"model": {"custom": {**CUSTOM, "baseImage": ""}}})
    assert found.status["status"] == "Pending"
    assert found.failure == "AIMModel acme-llama-8b-fc4930bb would be refused: its image is empty"


def test_a_service_that_is_never_reconciled_has_no_status() -> None:
    found = predicted(NEW, {"model": {"custom": {**CUSTOM, "hardware": {"gpu": {"requests": 0}}}}})
    assert (found.status, found.objects) == ({"status": ""}, [])
    assert found.failure.startswith("the service is never reconciled")


def test_a_template_that_kaiwo_makes_is_named_in_the_status() -> None:
    found = predicted(OLD, {"templateRef": "fast", "overrides": {"metric": "throughput", "precision": "fp16"}}, template(OLD))
    assert found.status["resolvedTemplate"] == {"name": "fast-ovr-6c75f1d2", "scope": "Namespace", "namespace": "shop"}


def test_an_artifact_of_a_source_without_a_size_has_the_size_0() -> None:
    bare = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama"}
    found = predicted(NEW, {}, template(NEW, modelSources=[bare])).objects
    assert [obj["spec"]["size"] for obj in found if obj["kind"] == "AIMArtifact"] == ["0"]


@pytest.mark.parametrize(
    ("group", "state", "told"),
    [
        (OLD, "Progressing", ("Resolved", "ModelProgressing")),
        (OLD, "Pending", ("Resolved", "ModelPending")),
        (OLD, "NotAvailable", ("Resolved", "ModelNotReady")),
        (NEW, "Progressing", ("ModelReady", "ModelNotReady")),
    ],
)
def test_a_model_that_is_not_ready_is_told_in_the_operators_condition(group: str, state: str, told: tuple[str, str]) -> None:
    found = predicted(group, {}, template(group), state=state).status
    assert told in [(one["type"], one["reason"]) for one in found["conditions"]]
    assert {one["reason"] for one in found["conditions"]} == {told[1]}
    assert found["status"] == "Pending"


def test_a_variable_that_aim_engine_gives_twice_keeps_the_inference_service_from_being_made() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", {"env": [{"name": "AIM_METRIC", "value": "x"}]})
    found = predicted(NEW, {}, template(NEW, spec={"metric": "latency"}), config)
    refused = 'Failed to apply resources: .spec.predictor.containers[0].env: duplicate entries for key [name="AIM_METRIC"]'
    kinds = ["AIMTemplateCache", "AIMArtifact", "PersistentVolumeClaim"]
    assert (found.failure, [obj["kind"] for obj in found.objects]) == (refused, kinds)
    told = {"type": "DependenciesReachable", "status": "False", "reason": "InfrastructureError", "message": refused}
    assert (found.status["status"], found.status["conditions"]) == ("Starting", [told])


def test_kaiwo_selects_no_template_that_it_has_derived_itself() -> None:
    derived = template(OLD)
    derived["metadata"]["labels"] = {"aim.silogen.ai/derived-template": "true"}
    assert "resolvedTemplate" not in predicted(OLD, {}, derived).status
    derived["metadata"]["labels"] = {"aim.silogen.ai/derived-template": "false"}
    assert predicted(OLD, {}, derived).status["resolvedTemplate"]["name"] == "fast"
