"""Where the operators stop with a service: the state, the condition and the message that they write, or which fact is missing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_workloads import KINDS, made, predicted, template
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.model import predict_model
from weighbridge.policies.families.aim.predictions.service import predict
from weighbridge.policies.families.aim.predictions.template import derived_name, predict_template
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions


def with_status(group: str, status: str, name: str = "fast") -> dict[str, Any]:
    found = template(group, name)
    found["status"]["status"] = status
    return found


def named(group: str, name: str) -> dict[str, Any]:
    return {"templateRef": name} if group == OLD else {"template": {"name": name}}


NO_GATEWAY = "routing.gatewayRef must be specified via AIMService or runtime config when routing is enabled"
ROUTED = {"routing": {"enabled": True}}


@pytest.mark.parametrize(
    ("group", "spec", "state", "status", "condition", "message"),
    [
        (NEW, {}, "Failed", "Failed", ("ModelReady", "ModelNotReady"), "AIMModel llama is in failed state"),
        (OLD, {}, "Failed", "Failed", ("Resolved", "ModelFailed"), "AIMModel llama is in failed state"),
        (OLD, {}, "Degraded", "Degraded", ("Resolved", "ModelDegraded"), "AIMModel llama is in failed state"),
        (NEW, {}, "Degraded", "Failed", ("ModelReady", "ModelNotReady"), "AIMModel llama is in failed state"),
        (NEW, {}, "Progressing", "Pending", ("ModelReady", "ModelNotReady"), "AIMModel llama status: Progressing"),
        (NEW, {"runtimeConfigName": "x"}, "Ready", "Failed", ("RuntimeConfigReady", "ReferenceNotFound"), 'runtime config "x" not found'),
        (OLD, {"runtimeConfigName": "x"}, "Ready", "Degraded", ("Ready", "RuntimeConfigMissing"), 'runtime config "x" not found'),
        (NEW, {"model": {}}, "Ready", "Failed", ("ModelReady", "ModelNotFound"), "no model specified in service spec"),
        (OLD, {"model": {}}, "Ready", "Pending", ("Resolved", "ModelNotFound"), "no model specified in service spec"),
        (
            NEW,
            {"model": {"name": "x"}},
            "Ready",
            "Failed",
            ("ModelReady", "ModelNotFound"),
            'model "x" not found in namespace shop or cluster scope',
        ),
        (
            NEW,
            {"model": {"image": "x@"}},
            "Ready",
            "Failed",
            ("ModelReady", "InvalidImageReference"),
            'invalid image reference "x@"',
        ),
        (NEW, ROUTED, "Ready", "Failed", ("HTTPRouteReady", "GatewayNotConfigured"), NO_GATEWAY),
        (OLD, ROUTED, "Ready", "Failed", ("RoutingReady", "RouteFailed"), NO_GATEWAY),
        (NEW, named(NEW, "x"), "Ready", "Failed", ("TemplateReady", "TemplateNotFound"), 'template "x" not found'),
    ],
)
def test_a_service_ends_with_a_state_a_condition_and_a_message(
    group: str, spec: dict[str, Any], state: str, status: str, condition: tuple[str, str], message: str
) -> None:
    found = predicted(group, spec, template(group), state=state)
    assert (found.failure, found.waits) == (("", message) if state == "Progressing" else (message, ""))
    assert found.status["status"] == status
    kind, reason = condition
    told = {"type": kind, "status": "False", "reason": reason, "message": message}
    assert told in found.status["conditions"]
    # kaiwo gives the same reason to several conditions.
    assert {one["reason"] for one in found.status["conditions"]} == {reason}
    assert group == OLD or found.status["conditions"] == [told]


def test_only_kaiwo_makes_the_pods_all_the_same_where_there_is_no_gateway() -> None:
    assert [obj["kind"] for obj in predicted(NEW, ROUTED, template(NEW)).objects] == []
    kinds = ["InferenceService", "Deployment", "PersistentVolumeClaim"]
    assert [obj["kind"] for obj in predicted(OLD, ROUTED, template(OLD)).objects] == kinds


@pytest.mark.parametrize(
    ("group", "status", "told", "condition", "message"),
    [
        (NEW, "Failed", "Failed", ("TemplateReady", "TemplateNotReady"), "AIMServiceTemplate fast is in failed state"),
        (OLD, "Failed", "Failed", ("RuntimeReady", "TemplateDegraded"), "Template is not available"),
        (OLD, "Degraded", "Degraded", ("RuntimeReady", "TemplateDegraded"), "Template is not available"),
        (OLD, "NotAvailable", "Degraded", ("RuntimeReady", "TemplateDegraded"), "Template is not available"),
        (NEW, "Progressing", "Pending", ("TemplateReady", "TemplateNotReady"), "AIMServiceTemplate fast status: Progressing"),
        (OLD, "Pending", "Pending", ("RuntimeReady", "TemplateNotAvailable"), "AIMServiceTemplate fast status: Pending"),
    ],
)
def test_a_named_template_ends_a_service_by_its_status(
    group: str, status: str, told: str, condition: tuple[str, str], message: str
) -> None:
    found = predicted(group, named(group, "fast"), with_status(group, status))
    waits = status in ("Progressing", "Pending")
    assert (found.failure, found.waits) == (("", message) if waits else (message, ""))
    assert (found.status["status"], found.objects) == (told, [])
    assert (*condition, message) in [(one["type"], one["reason"], one["message"]) for one in found.status["conditions"]]


def test_a_template_of_kaiwo_that_failed_gives_its_own_reason_to_all_conditions() -> None:
    failed = with_status(OLD, "Failed")
    failed["status"]["conditions"] = [
        {"type": "Ready", "status": "False", "reason": "Other", "message": "x"},
        {"type": "Failure", "status": "True", "reason": "DiscoveryFailed", "message": "the job failed"},
    ]
    found = predicted(OLD, named(OLD, "fast"), failed)
    told = [(one["type"], one["status"]) for one in found.status["conditions"]]
    assert told == [("Failure", "True"), ("RuntimeReady", "False"), ("Progressing", "False"), ("Ready", "False")]
    assert {(one["reason"], one["message"]) for one in found.status["conditions"]} == {("DiscoveryFailed", "the job failed")}
    assert (found.status["status"], found.status["resolvedTemplate"]["name"]) == ("Failed", "fast")


def test_kaiwo_serves_a_ready_template_whose_model_is_missing_and_calls_it_degraded() -> None:
    orphan = with_status(OLD, "Ready")
    orphan["spec"]["modelName"] = "nowhere"
    found = predicted(OLD, named(OLD, "fast"), orphan)
    assert (found.status["status"], found.failure) == ("Degraded", 'AIMModel "nowhere" not found in namespace "shop"')
    assert {one["reason"] for one in found.status["conditions"]} == {"ImageNotFound"}
    assert [obj["kind"] for obj in found.objects] == ["InferenceService", "Deployment", "PersistentVolumeClaim"]
    orphan["status"]["status"] = "Degraded"
    found = predicted(OLD, named(OLD, "fast"), orphan)
    assert ({one["reason"] for one in found.status["conditions"]}, found.objects) == ({"ImageNotFound"}, [])


def test_a_state_that_the_crd_doesn_t_allow_is_never_written() -> None:
    found = predicted(NEW, named(NEW, "fast"), with_status(NEW, "NotAvailable"))
    assert (found.failure, found.status) == ("AIMServiceTemplate fast is NotAvailable", {"status": ""})
    assert predicted(OLD, named(OLD, "x"), template(OLD)).status == {"status": ""}


@pytest.mark.parametrize(
    ("group", "held", "status", "reason", "message"),
    [
        (NEW, [], "Pending", "TemplateNotFound", "the model has no template"),
        (OLD, [], "Failed", "TemplateNotFound", "the model has no template"),
        (NEW, ["Failed"], "Pending", "TemplateNotReady", "no template of the model is ready"),
        (OLD, ["Failed"], "Pending", "TemplateNotAvailable", "no template of the model is ready"),
        (NEW, ["Failed", "Progressing"], "Pending", "TemplateNotReady", "no template of the model is ready"),
        (NEW, ["Ready", "Ready"], "Pending", "TemplateNotFound", "several templates are equally good"),
        (OLD, ["Ready", "Ready"], "Failed", "TemplateSelectionAmbiguous", "several templates are equally good"),
    ],
)
def test_a_choice_without_a_winner_ends_a_service(group: str, held: list[str], status: str, reason: str, message: str) -> None:
    found = predicted(group, {}, *(with_status(group, one, f"t{number}") for number, one in enumerate(held)))
    reasons = {condition["reason"] for condition in found.status["conditions"]}
    assert (found.failure, found.waits) == (("", message) if "Progressing" in held else (message, ""))
    assert (found.status["status"], reasons) == (status, {reason})


def test_a_namespace_of_43_characters_leaves_no_name_to_aim_engine() -> None:
    request = {"apiVersion": f"{NEW}/v1alpha1", "kind": "AIMService", "metadata": {"name": "chat", "namespace": "n" * 43}}
    service: JSONObject = {**request, "spec": {"model": {"name": "llama"}}}
    held = [made(NEW, "AIMClusterModel", "llama", {"image": "x:1"}, {"status": "Ready"})]
    of_cluster = template(NEW)
    of_cluster |= {"kind": "AIMClusterServiceTemplate", "metadata": {"name": "fast"}}
    facts = from_objects([*held, of_cluster], bundled_definitions())
    facts.objects.complete(besides=[(NEW, kind) for kind in KINDS])
    gvk = GroupVersionKind(NEW, "v1alpha1", "AIMService")
    found = predict(Request("1", Operation.CREATE, gvk, service, namespace="n" * 43), facts, DEFAULT)
    assert found is not None
    assert found.failure == "the name of the namespace is too long: it has 43 characters, 42 is the most"
    assert [(one["type"], one["reason"]) for one in found.status["conditions"]] == [("InferenceServiceReady", "FetchError")]
    assert (found.status["status"], found.objects, "resolvedModel" in found.status) == ("Degraded", [], False)


@pytest.mark.parametrize("group", [NEW, OLD])
def test_two_models_of_one_image_are_told_with_their_places(group: str) -> None:
    own = made(group, "AIMModel", "one", {"image": "x:1"})
    other = made(group, "AIMClusterModel", "two", {"image": "x:1"})
    facts = from_objects([own, other], bundled_definitions())
    facts.objects.complete(besides=[(group, kind) for kind in KINDS])
    found = predict_model({"model": {"image": "x:1"}}, dialect_of(group), "shop", facts, DEFAULT)
    assert found.failure == 'multiple models found with the same image with image "x:1": shop/one (namespace), two (cluster)'
    assert found.reason == ("UnknownError" if group == NEW else "MultipleModelsFound")
    elsewhere = predict_model({"model": {"image": "x:1"}}, dialect_of(group), "other", facts, DEFAULT)
    assert (elsewhere.name, elsewhere.scope, elsewhere.failure) == ("two", "Cluster", "")


@pytest.mark.parametrize(
    ("asked", "unknown"),
    [
        ({"name": "x"}, "not all AIMModels of the cluster are known"),
        ({"image": "x:1"}, "not all AIMModels of the cluster are known"),
        ({"custom": {"baseImage": "x:1", "modelSources": []}}, "not all AIMModels of the cluster are known"),
    ],
)
def test_a_model_isn_t_known_where_not_all_are(asked: JSONObject, unknown: str) -> None:
    found = predict_model({"model": asked}, dialect_of(NEW), "shop", from_objects([], bundled_definitions()), DEFAULT)
    assert (found.model, found.failure, found.unknown) == (None, "", unknown)


@pytest.mark.parametrize("group", [NEW, OLD])
def test_a_template_isn_t_known_where_not_all_are(group: str) -> None:
    nothing = from_objects([], bundled_definitions())
    for spec in (named(group, "x"), {}):
        found = predict_template(spec, "llama", dialect_of(group), "shop", nothing, DEFAULT)
        assert (found.template, found.failure, found.unknown) == (None, "", "not all AIMServiceTemplates of the cluster are known")


def test_what_discovery_hasn_t_found_yet_isn_t_known() -> None:
    fresh = template(NEW)
    del fresh["status"]
    found = predicted(NEW, {}, fresh)
    assert [one.reason for one in found.unchecked] == ["what discovery finds of template fast isn't known yet"]
    assert found.status == {}
    of_name = predicted(NEW, named(NEW, "fast"), {**fresh, "spec": {**fresh["spec"]}})
    assert [one.reason for one in of_name.unchecked] == ["AIMServiceTemplate fast has no status yet, and is taken for ready"]


def test_a_model_without_a_status_is_taken_for_ready() -> None:
    found = predicted(NEW, {}, template(NEW), state="")
    assert [one.reason for one in found.unchecked] == ["AIMModel llama has no status yet, and is taken for ready"]
    assert found.status["status"] == "Starting"


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({}, ""),
        ({"metric": "latency"}, "-ovr-latency"),
        ({"metric": "latency", "precision": "fp8"}, "-ovr-fp8-latency"),
        ({"hardware": {"gpu": {"model": " MI300X ", "requests": 2}}}, "-ovr-mi300x-2gpu"),
        ({"hardware": {"gpu": {"requests": 0}}}, ""),
    ],
)
def test_aim_engine_looks_for_a_template_by_its_overrides(overrides: JSONObject, words: str) -> None:
    name = derived_name("fast", overrides)
    assert (name.rpartition("-")[0] if words else name) == f"fast{words}"


@pytest.mark.parametrize(
    ("name", "value", "is_same"),
    [("AWS_ENDPOINT_URL", "http://a", True), ("AWS_ENDPOINT_URL", "http://b", False), ("OTHER", "http://a", False)],
)
def test_a_described_model_is_one_with_the_same_store(name: str, value: str, is_same: bool) -> None:
    source = {"modelId": "acme/llama", "sourceUri": "s3://acme/llama", "env": [{"name": "AWS_ENDPOINT_URL", "value": "http://a"}]}
    other = {**source, "env": [{"name": name, "value": value}]}
    held = made(NEW, "AIMModel", "own", {"image": "base:1", "modelSources": [other]})
    facts = from_objects([held], bundled_definitions())
    facts.objects.complete(besides=[(NEW, kind) for kind in KINDS])
    custom: JSONObject = {"baseImage": "base:1", "modelSources": [source]}
    found = predict_model({"model": {"custom": custom}}, dialect_of(NEW), "shop", facts, DEFAULT)
    assert (found.name == "own") is is_same
    assert found.created.startswith("acme-llama-") is not is_same
