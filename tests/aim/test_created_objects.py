"""Labels, values and order of the objects that aim-engine creates; each was compared with the operator on a real API server."""

from __future__ import annotations

import pytest

from tests.aim.test_services_by_branch import CACHES, ROUTED, cluster, kinds, model, one, predicted
from tests.aim.test_workloads import made, template
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.objects.cache_objects import predict as predict_cache
from weighbridge.policies.families.aim.predictions.objects.template_object import predict
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request

MANAGED = "app.kubernetes.io/managed-by"
COPIES: JSONObject = {"labelPropagation": {"enabled": True, "match": ["app.kubernetes.io/*", "team"]}}


def labels(obj: JSONObject) -> JSONObject:
    found: JSONObject = obj["metadata"]["labels"]
    return found


def test_a_copied_label_replaces_what_is_added_to_every_object() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", COPIES, {})
    asked = {MANAGED: "argocd", f"{NEW}/service.name": "other"}
    found = predicted(NEW, {}, config, model(NEW), template(NEW), labels=asked)
    assert labels(one(found, "AIMTemplateCache")) == {**asked, f"{NEW}/service": "chat"}
    # The InferenceService has its own `managed-by`.
    assert labels(one(found, "InferenceService")).items() >= {MANAGED: "aim-engine", f"{NEW}/service.name": "other"}.items()


def test_an_artifact_copies_who_manages_its_cache() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", COPIES, {})
    found = predicted(NEW, {}, config, model(NEW), template(NEW))
    assert labels(one(found, "AIMArtifact"))[MANAGED] == labels(one(found, "AIMTemplateCache"))[MANAGED] == "aim-service-controller"


def test_the_cache_of_a_derived_template_copies_labels_by_its_config() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", COPIES, {})
    found = predicted(NEW, {"overrides": {"metric": "latency"}}, config, model(NEW), template(NEW), labels={"team": "x"})
    caches = [obj for obj in found.objects if obj["kind"] == "AIMTemplateCache"]
    assert [labels(cache).get("team") for cache in caches] == ["x", "x"]


def test_values_are_written_as_go_prints_them() -> None:
    env = [{"name": "A", "value": ""}, {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}]
    spec = {"env": env, "overrides": {"metric": "latency"}, "resources": {"limits": {"cpu": "0.5", "memory": "1024Mi"}}}
    found = predicted(NEW, spec, model(NEW), template(NEW))
    printed = [{"name": "A"}, {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "0"}}}]
    assert one(found, "AIMTemplateCache")["spec"]["env"] == one(found, "AIMArtifact")["spec"]["env"] == printed
    assert one(found, "AIMServiceTemplate")["spec"]["resources"] == {"limits": {"cpu": "500m", "memory": "1Gi"}}


REFUSED: JSONObject = {"routing": {**ROUTED["routing"], "requestTimeout": "1500ms"}}
CUSTOM: JSONObject = {
    "model": {
        "custom": {
            "baseImage": "x:1",
            "modelSources": [{"modelId": "a/b", "sourceUri": "hf://a/b", "size": "16Gi"}],
            "hardware": {"gpu": {"requests": 1, "model": "MI300X"}},
        }
    },
    "template": {"allowUnoptimized": True},
}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, []),
        ({"caching": {"mode": "Dedicated"}}, CACHES),
        ({"overrides": {"metric": "latency"}}, ["AIMServiceTemplate"]),
        ({"overrides": {"metric": "latency"}, "caching": {"mode": "Dedicated"}}, ["AIMServiceTemplate", *CACHES]),
    ],
)
def test_what_is_shared_is_applied_after_the_route(spec: JSONObject, expected: list[str]) -> None:
    found = predicted(NEW, {**REFUSED, **spec}, model(NEW), template(NEW))
    assert kinds(found) == expected
    assert (found.status["status"], found.weight) == ("Starting", Severity.ERROR)
    assert "failed to apply HTTPRoute" in found.failure


@pytest.mark.parametrize("spec", [{"model": {"image": "x:2"}}, CUSTOM])
def test_without_its_route_a_service_gets_no_model(spec: JSONObject) -> None:
    found = predicted(NEW, {**REFUSED, **spec})
    assert (kinds(found), found.unchecked, found.status["status"]) == ([], [], "Pending")
    assert "resolvedModel" not in found.status
    assert found.status["conditions"][0]["type"] == "DependenciesReachable"


@pytest.mark.parametrize("spec", [{"model": {"image": "x:2"}}, CUSTOM])
@pytest.mark.parametrize(("routing", "kind"), [({}, "AIMModel"), (ROUTED, "HTTPRoute")])
def test_a_service_of_too_long_a_name_gets_no_model(spec: JSONObject, routing: JSONObject, kind: str) -> None:
    found = predicted(NEW, {**spec, **routing}, name="s" * 64)
    assert (kinds(found), found.status["status"]) == ([], "Pending")
    assert f"failed to apply {kind} " in found.failure


@pytest.mark.parametrize(
    ("overrides", "base", "refusal"),
    [
        ({}, {}, ""),
        ({}, {"caching": {"enabled": False}}, "spec.caching.enabled"),
        ({}, {"runtimeConfigName": "other"}, ""),
        ({"hardware": {"cpu": {"requests": "4"}}}, {}, "hardware is immutable"),
        ({"hardware": {"gpu": {"minVram": "64Gi"}}}, {}, "hardware is immutable"),
    ],
)
def test_a_derived_template_of_the_same_name_is_applied_over_the_chosen_one(overrides: JSONObject, base: JSONObject, refusal: str) -> None:
    other = made(NEW, "AIMRuntimeConfig", "other", {}, {})
    found = predicted(NEW, {"overrides": overrides, **ROUTED}, model(NEW), template(NEW, spec=base), other)
    assert (kinds(found) == []) is bool(refusal)
    assert refusal in found.failure


def test_a_template_that_a_model_made_is_not_taken_over() -> None:
    base = template(NEW)
    base["metadata"]["labels"] = {f"{NEW}/origin": "auto-generated", MANAGED: "aim-model-controller"}
    found = predicted(NEW, {"overrides": {}}, model(NEW), base)
    assert kinds(found) == []
    assert "it conflicts with the template of that name" in found.failure


def test_one_artifact_of_two_models_is_mounted_once() -> None:
    sources = [{"modelId": one, "sourceUri": "hf://a/b", "size": "16Gi"} for one in ("a/b", "a/c")]
    found = predicted(NEW, {}, model(NEW), template(NEW, modelSources=sources))
    assert len(one(found, "InferenceService")["spec"]["predictor"]["volumes"]) == 2


@pytest.mark.parametrize(("group", "state"), [(NEW, "Pending"), (OLD, "Failed")])
def test_a_job_with_a_variable_twice_is_refused(group: str, state: str) -> None:
    written = template(group, spec={"metric": "latency", "env": [{"name": "AIM_METRIC", "value": "x"}]})
    del written["status"]
    gvk = GroupVersionKind(group, "v1alpha1", "AIMServiceTemplate")
    request = Request("1", Operation.CREATE, gvk, written, namespace="shop")
    found = predict(request, cluster(model(group)), DEFAULT)
    assert found is not None
    assert (found.status["status"], kinds(found), found.weight) == (state, [], Severity.ERROR)
    assert 'duplicate entries for key [name="AIM_METRIC"]' in found.failure


@pytest.mark.parametrize(
    ("state", "expected"), [(state, state) for state in ("Failed", "NotAvailable", "Degraded", "Pending")] + [("Ready", "Progressing")]
)
def test_a_cache_is_no_better_than_its_template(state: str, expected: str) -> None:
    held = template(NEW)
    held["status"]["status"] = state
    cache = made(NEW, "AIMTemplateCache", "c", {"templateName": "fast", "templateScope": "Namespace"}, {})
    request = Request("1", Operation.CREATE, GroupVersionKind(NEW, "v1alpha1", "AIMTemplateCache"), cache, namespace="shop")
    found = predict_cache(request, cluster(held), DEFAULT)
    assert found is not None
    assert (found.status["status"], kinds(found)) == (expected, CACHES[1:])


@pytest.mark.parametrize("spec", [{"runtimeConfigName": "none"}, {"routing": {"enabled": True}}])
def test_a_described_model_that_is_not_made_is_not_resolved(spec: JSONObject) -> None:
    found = predicted(NEW, {**CUSTOM, **spec})
    assert (kinds(found), found.status["status"]) == ([], "Failed")
    assert not {"resolvedModel", "resolvedTemplate"} & found.status.keys()
