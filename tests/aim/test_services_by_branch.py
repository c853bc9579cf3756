"""Services of both operators at the branches of their reconcilers: the objects before the template is ready, and the caches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_workloads import made, template
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.predictions.service import predict
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

ROUTED: JSONObject = {"routing": {"enabled": True, "gatewayRef": {"name": "g"}}}
CACHES = ["AIMTemplateCache", "AIMArtifact", "PersistentVolumeClaim"]
SERVED = ["InferenceService", "Deployment"]


def model(group: str, status: str = "Ready") -> JSONObject:
    return made(group, "AIMModel", "llama", {"image": "ghcr.io/acme/llama:1"}, {"status": status})


def cluster(*held: JSONObject) -> Facts:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"amd.com/gpu.device-id": "74a1"}}}
    facts = from_objects([node, *held], bundled_definitions())
    facts.objects.complete(besides=[(kind.gvk.group, kind.gvk.kind) for kind in FAMILY.kinds])
    return facts


def predicted(group: str, spec: JSONObject, *held: JSONObject, **metadata: Any) -> Prediction:
    service = made(group, "AIMService", "chat", {"model": {"ref" if group == OLD else "name": "llama"}, **spec})
    service["metadata"] |= metadata
    gvk = GroupVersionKind(group, "v1alpha1", "AIMService")
    found = predict(Request("1", Operation.CREATE, gvk, service, namespace="shop"), cluster(*held), DEFAULT)
    assert found is not None
    return found


def kinds(found: Prediction) -> list[str]:
    return [obj["kind"] for obj in found.objects]


def one(found: Prediction, kind: str) -> JSONObject:
    return next(obj for obj in found.objects if obj["kind"] == kind)


def claims(found: Prediction) -> list[str]:
    volumes = one(found, "InferenceService")["spec"]["predictor"].get("volumes", [])
    return [volume["persistentVolumeClaim"]["claimName"] for volume in volumes if "persistentVolumeClaim" in volume]


def not_available(group: str) -> JSONObject:
    found = template(group)
    found["status"]["status"] = "NotAvailable"
    return found


@pytest.mark.parametrize(
    ("spec", "held", "expected"),
    [
        ({}, [model(NEW)], ["HTTPRoute"]),
        ({}, [model(NEW), not_available(NEW)], ["HTTPRoute"]),
        ({"template": {"name": "fast"}}, [model(NEW), not_available(NEW)], ["HTTPRoute"]),
        ({"model": {"image": "x:2"}}, [], ["AIMModel", "HTTPRoute"]),
        ({"model": {"image": "x:2"}, "template": {"name": "fast"}}, [template(NEW)], ["AIMModel", *CACHES, "HTTPRoute"]),
        ({}, [model(NEW, "Progressing"), template(NEW)], [*CACHES, "HTTPRoute"]),
        ({}, [model(NEW, "Failed"), template(NEW)], [*CACHES, "HTTPRoute"]),
        ({}, [model(NEW), template(NEW, modelSources=[])], ["HTTPRoute"]),
        ({}, [model(NEW), template(NEW)], [*SERVED, *CACHES, "HTTPRoute"]),
        ({"template": {"name": "none"}}, [model(NEW)], []),
        ({"model": {"name": "none"}}, [], []),
        ({"model": {"image": "x@"}}, [], []),
        ({"runtimeConfigName": "none"}, [model(NEW), template(NEW)], []),
        ({"routing": {"enabled": True}}, [model(NEW), template(NEW)], []),
        ({"routing": {"enabled": True}, "template": {"name": "fast"}}, [model(NEW), not_available(NEW)], []),
    ],
)
def test_aim_engine_plans_the_route_first_and_applies_nothing_where_something_is_missing(
    spec: JSONObject, held: list[JSONObject], expected: list[str]
) -> None:
    assert kinds(predicted(NEW, {**ROUTED, **spec}, *held)) == expected


def test_an_invalid_spec_goes_before_a_template_that_is_not_available() -> None:
    found = predicted(NEW, {"routing": {"enabled": True}, "template": {"name": "fast"}}, model(NEW), not_available(NEW))
    assert found.status["status"] == "Failed"


@pytest.mark.parametrize(
    ("spec", "held", "expected"),
    [
        ({}, [model(OLD)], []),
        ({"templateRef": "fast"}, [not_available(OLD)], []),
        ({"model": {"image": "x:2"}}, [], ["AIMModel"]),
        ({}, [model(OLD, "Progressing"), template(OLD)], []),
        ({"templateRef": "fast"}, [model(OLD), template(OLD, modelSources=[])], ["HTTPRoute"]),
        ({"templateRef": "fast"}, [model(OLD), template(OLD)], [*SERVED, "PersistentVolumeClaim", "HTTPRoute"]),
        ({"templateRef": "fast", "runtimeConfigName": "none"}, [model(OLD), template(OLD)], []),
        ({"routing": {"enabled": True}}, [model(OLD), template(OLD)], [*SERVED, "PersistentVolumeClaim"]),
    ],
)
def test_kaiwo_plans_the_route_with_the_ready_template(spec: JSONObject, held: list[JSONObject], expected: list[str]) -> None:
    assert kinds(predicted(OLD, {**ROUTED, **spec}, *held)) == expected


def test_a_path_template_of_kaiwo_that_fails_goes_before_a_template_that_is_not_available() -> None:
    routed = {"routing": {"enabled": True, "gatewayRef": {"name": "g"}, "pathTemplate": "/{.spec.none}"}}
    found = predicted(OLD, {"templateRef": "fast", **routed}, model(OLD), not_available(OLD))
    assert {condition["reason"] for condition in found.status["conditions"]} == {"PathTemplateInvalid"}
    assert (found.status["status"], kinds(found)) == ("Degraded", [])


def test_the_model_that_a_service_makes_has_what_the_service_says() -> None:
    spec = {
        "model": {"image": "x:2"},
        "imagePullSecrets": [{"name": "p"}],
        "serviceAccountName": "own",
        "env": [{"name": "A", "value": "1"}],
    }
    assert one(predicted(NEW, spec), "AIMModel")["spec"] == {
        "image": "x:2",
        "imagePullSecrets": [{"name": "p"}],
        "serviceAccountName": "own",
    }
    source = {"modelId": "a/b", "sourceUri": "hf://a/b"}
    custom = {"baseImage": "x:1", "modelSources": [source], "hardware": {"gpu": {"requests": 1}}}
    found = one(predicted(NEW, {**spec, "model": {"custom": custom}}), "AIMModel")
    assert found["spec"]["env"] == spec["env"]
    assert found["spec"]["custom"] == {"hardware": {"gpu": {"requests": 1}}}
    assert found["metadata"]["labels"]["aim.eai.amd.com/custom-model"] == "true"


def test_a_service_that_is_paused_makes_nothing_and_kaiwo_does_not_know_the_annotation() -> None:
    found = predicted(NEW, ROUTED, model(NEW), template(NEW), annotations={PAUSED: "true"})
    assert (found.status, kinds(found), list(found.unchecked)) == ({}, [], [])
    assert found.failure == f"the annotation {PAUSED} makes the operator leave the service alone"
    assert "InferenceService" in kinds(predicted(NEW, {}, model(NEW), template(NEW), annotations={PAUSED: "True"}))
    assert "InferenceService" in kinds(predicted(OLD, {}, model(OLD), template(OLD), annotations={PAUSED: "true"}))


def test_a_template_that_is_paused_keeps_the_status_that_was_written() -> None:
    held = template(NEW, spec={"modelSources": [{"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "1Gi"}]})
    del held["status"]["resolvedNodeAffinity"]
    held["status"]["resolvedHardware"]["gpu"]["requests"] = 4
    held["metadata"]["annotations"] = {PAUSED: "true"}
    spec = one(predicted(NEW, {}, model(NEW), held), "InferenceService")["spec"]["predictor"]
    assert (spec["containers"][0]["resources"]["limits"]["amd.com/gpu"], "affinity" in spec) == ("4", False)
    del held["metadata"]["annotations"]
    assert "affinity" in one(predicted(NEW, {}, model(NEW), held), "InferenceService")["spec"]["predictor"]
    held["metadata"]["annotations"] = {PAUSED: "true"}
    del held["status"]
    never = predicted(NEW, {"template": {"name": "fast"}}, model(NEW), held)
    assert (kinds(never), never.status["status"]) == ([], "Pending")


@pytest.mark.parametrize(("gpus", "request_", "limit"), [(32, "1Ti", "1536Gi"), (64, "2Ti", "3Ti"), (8, "256Gi", "384Gi")])
def test_amounts_are_printed_as_go_prints_them(gpus: int, request_: str, limit: str) -> None:
    held = template(NEW)
    held["status"]["resolvedHardware"]["gpu"]["requests"] = gpus
    container = one(predicted(NEW, {}, model(NEW), held), "InferenceService")["spec"]["predictor"]["containers"][0]
    assert (container["resources"]["requests"]["memory"], container["resources"]["limits"]["memory"]) == (request_, limit)


def test_an_autoscaler_without_metrics_has_no_list_of_them() -> None:
    forms: list[JSONObject] = [{"metrics": []}, {}]
    for asked in forms:
        found = predicted(NEW, {"autoScaling": asked}, model(NEW), template(NEW))
        assert one(found, "InferenceService")["spec"]["predictor"]["autoScaling"] == {}


def artifact(name: str, status: str, storage_class: str = "fast", **metadata: Any) -> JSONObject:
    spec = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi", "storageClassName": storage_class}
    found = made(NEW, "AIMArtifact", name, spec, {"status": status, "persistentVolumeClaim": f"{name}-claim"} if status else None)
    found["metadata"] |= metadata
    return found


@pytest.mark.parametrize(
    ("spec", "held", "claim"),
    [
        ({}, [artifact("a", "Ready")], "a-claim"),
        ({"storage": {"defaultStorageClassName": "fast"}}, [artifact("a", "Ready")], "a-claim"),
        ({"storage": {"defaultStorageClassName": "slow"}}, [artifact("a", "Ready")], ""),
        ({"caching": {"mode": "Dedicated"}}, [artifact("a", "Ready")], ""),
        ({}, [artifact("a", "")], ""),
        ({}, [artifact("a", "Ready", ownerReferences=[{"kind": "AIMTemplateCache", "name": "x", "uid": "u"}])], ""),
        ({}, [artifact("a", "Pending"), artifact("b", "Ready"), artifact("c", "Ready")], "b-claim"),
        ({}, [artifact("a", "Failed"), artifact("b", "Progressing")], "b-claim"),
    ],
)
def test_an_artifact_is_used_by_source_class_state_and_owner(spec: JSONObject, held: list[JSONObject], claim: str) -> None:
    found = predicted(NEW, spec, model(NEW), template(NEW), *held)
    assert claims(found) == ([claim] if claim else [name_of(one(found, "PersistentVolumeClaim"))])
    assert ("AIMArtifact" in kinds(found)) is not bool(claim)


@pytest.mark.parametrize(("status", "state", "reason"), [("Failed", "Failed", "CacheFailed"), ("Degraded", "Starting", "CacheCreating")])
def test_a_service_of_an_artifact_that_is_not_well_gets_no_pods(status: str, state: str, reason: str) -> None:
    found = predicted(NEW, {}, model(NEW), template(NEW), artifact("a", status))
    assert (found.status["status"], found.status["conditions"][0]["reason"]) == (state, reason)
    assert kinds(found) == ["AIMTemplateCache"]


def cache(name: str, status: str, **spec: Any) -> JSONObject:
    given = {"templateName": "fast", "templateScope": "Namespace", **spec}
    return made(NEW, "AIMTemplateCache", name, given, {"status": status} if status else None)


@pytest.mark.parametrize(
    ("held", "used"),
    [
        ([cache("mine", "Ready", storageClassName="slow")], "slow-claim"),
        ([cache("mine", "Ready", storageClassName="slow", mode="Dedicated")], "fast-claim"),
        ([cache("mine", "Ready", storageClassName="slow", templateName="other")], "fast-claim"),
        ([cache("mine", "Failed", storageClassName="slow")], "fast-claim"),
        ([cache("mine", "", storageClassName="slow")], "fast-claim"),
    ],
)
def test_a_shared_cache_of_the_template_is_used_and_the_service_makes_its_own_all_the_same(held: list[JSONObject], used: str) -> None:
    artifacts = [artifact("fast", "Ready"), artifact("slow", "Ready", "slow")]
    spec = {"storage": {"defaultStorageClassName": "fast"}}
    found = predicted(NEW, spec, model(NEW), template(NEW), *artifacts, *held)
    assert claims(found) == [used]
    assert name_of(one(found, "AIMTemplateCache")) == "fast-690848f6"


def test_a_cache_that_an_earlier_service_made_in_the_same_way_is_not_made_again() -> None:
    own = cache("fast-690848f6", "Ready", mode="Shared")
    assert kinds(predicted(NEW, {}, model(NEW), template(NEW), artifact("a", "Ready"), own)) == SERVED
    other = predicted(NEW, {"runtimeConfigName": "default"}, model(NEW), template(NEW), artifact("a", "Ready"), own)
    assert kinds(other) == [*SERVED, "AIMTemplateCache"]


def test_a_cache_of_a_template_that_is_not_there_fails_the_service() -> None:
    found = predicted(NEW, {}, model(NEW), template(NEW), cache("mine", "Ready", templateScope="Cluster"))
    assert (found.status["status"], found.status["conditions"][0]["reason"]) == ("Failed", "CacheFailed")


def test_the_cache_that_a_template_makes_for_itself_is_used() -> None:
    caching = {"caching": {"enabled": True, "env": [{"name": "T", "value": "1"}]}}
    found = predicted(NEW, {"env": [{"name": "O", "value": "1"}]}, model(NEW), template(NEW, spec=caching))
    own, [claim] = one(found, "AIMArtifact"), claims(found)
    assert not claim.startswith(name_of(own))


def test_an_empty_class_of_the_service_names_another_artifact_and_the_claim_has_the_class_of_the_config() -> None:
    config = made(NEW, "AIMRuntimeConfig", "default", {"storage": {"defaultStorageClassName": "block"}})
    specs: list[JSONObject] = [{"storage": {"defaultStorageClassName": ""}}, {"storage": {}}, {}]
    found = [predicted(NEW, spec, model(NEW), template(NEW), config) for spec in specs]
    artifacts = [one(each, "AIMArtifact") for each in found]
    assert ["storageClassName" in made_one["spec"] for made_one in artifacts] == [False, True, True]
    assert name_of(artifacts[0]) != name_of(artifacts[1]) == name_of(artifacts[2])
    assert {one(each, "PersistentVolumeClaim")["spec"]["storageClassName"] for each in found} == {"block"}


@pytest.mark.parametrize(
    ("spec", "made_beside"),
    [
        ({"overrides": {"metric": "latency"}}, ["fast-ovr-latency-817c", "fast-ovr-latency-817c"]),
        ({"overrides": {"metric": "latency"}, "caching": {"mode": "Dedicated"}}, ["fast-ovr-latency-817c"]),
        ({"overrides": {}}, ["fast", "fast"]),
        ({}, []),
    ],
)
def test_overrides_derive_a_template_beside_the_chosen_one(spec: JSONObject, made_beside: list[str]) -> None:
    found = predicted(NEW, spec, model(NEW), template(NEW, spec={"metric": "latency"}))
    beside = [obj for obj in found.objects if obj["kind"] in ("AIMServiceTemplate", "AIMTemplateCache")][1:]
    assert [name_of(obj) for obj in beside] == made_beside
    derived = next((obj for obj in beside if obj["kind"] == "AIMServiceTemplate"), None)
    assert derived is None or (derived["spec"].get("caching") == {"enabled": True}) is (len(made_beside) > 1)
    assert any("two caches" in entry.reason for entry in found.unchecked) is (len(made_beside) > 1)


def test_a_derived_template_and_one_of_the_cluster_have_none_beside_them() -> None:
    held = template(NEW, spec={"metric": "latency"})
    held["metadata"]["labels"] = {"aim.eai.amd.com/origin": "derived"}
    of_cluster = made(NEW, "AIMClusterServiceTemplate", "fast", held["spec"], held["status"])
    for one_held in (held, of_cluster):
        assert "AIMServiceTemplate" not in kinds(predicted(NEW, {"overrides": {"metric": "latency"}}, model(NEW), one_held))


def model_cache(name: str, status: str, storage_class: str = "") -> JSONObject:
    spec: JSONObject = {"sourceUri": "hf://acme/llama", "size": "16Gi"} | ({"storageClassName": storage_class} if storage_class else {})
    return made(OLD, "AIMModelCache", name, spec, {"status": status} if status else None)


def test_kaiwo_makes_a_chain_of_caches_with_the_headroom_of_the_config() -> None:
    config = made(OLD, "AIMRuntimeConfig", "default", {"pvcHeadroomPercent": 20})
    spec = {"cacheModel": True, "defaultStorageClassName": "nvme", "pvcHeadroomPercent": 50}
    found = predicted(OLD, spec, model(OLD), template(OLD), config)
    assert kinds(found) == [*SERVED, "AIMTemplateCache", "AIMModelCache", "PersistentVolumeClaim"]
    cached, claim = one(found, "AIMModelCache"), one(found, "PersistentVolumeClaim")
    assert (name_of(one(found, "AIMTemplateCache")), name_of(cached), name_of(claim)) == ("fast", "acme-llama-8b", "acme-llama-8b-cache")
    assert (claim["spec"]["storageClassName"], claim["spec"]["resources"]["requests"]["storage"]) == ("nvme", "20Gi")
    assert claims(found) == ["acme-llama-8b-cache"]


@pytest.mark.parametrize(
    ("spec", "held", "expected", "claim"),
    [
        ({"cacheModel": True}, [model_cache("m", "Available")], [*SERVED, "AIMTemplateCache"], "m-cache"),
        ({"cacheModel": True}, [model_cache("m", "")], [*SERVED, "AIMTemplateCache", "AIMModelCache", "PersistentVolumeClaim"], None),
        ({"cacheModel": True}, [model_cache("a", "Available"), model_cache("b", "Available")], [*SERVED, "AIMTemplateCache"], "b-cache"),
        (
            {"cacheModel": True, "defaultStorageClassName": "x"},
            [model_cache("m", "Available")],
            [*SERVED, "AIMTemplateCache", "AIMModelCache", "PersistentVolumeClaim"],
            None,
        ),
        ({}, [made(OLD, "AIMTemplateCache", "warm", {"templateRef": "fast"}, {"status": "Available"})], SERVED, None),
        (
            {},
            [made(OLD, "AIMTemplateCache", "warm", {"templateRef": "other"}, {"status": "Available"})],
            [*SERVED, "PersistentVolumeClaim"],
            "chat-temp-cache",
        ),
    ],
)
def test_kaiwo_uses_the_caches_that_are_there(spec: JSONObject, held: list[JSONObject], expected: list[str], claim: str | None) -> None:
    found = predicted(OLD, spec, model(OLD), template(OLD), *held)
    assert (kinds(found), claims(found)) == (expected, [claim or "acme-llama-8b-cache"])


def test_kaiwo_uses_the_cache_that_a_template_makes_for_itself() -> None:
    found = predicted(OLD, {}, model(OLD), template(OLD, spec={"caching": {"enabled": True}}))
    assert (kinds(found), claims(found)) == (SERVED, ["acme-llama-8b-cache"])


@pytest.mark.parametrize(
    "held", [made(OLD, "AIMTemplateCache", "x", {"templateRef": "fast"}, {"status": "Failed"}), model_cache("m", "Failed")]
)
def test_a_cache_of_kaiwo_that_has_failed_fails_the_service(held: JSONObject) -> None:
    found = predicted(OLD, {"cacheModel": True}, model(OLD), template(OLD), held)
    assert (found.status["status"], "InferenceService" in kinds(found)) == ("Failed", False)
    assert [condition["type"] for condition in found.status["conditions"]] == ["CacheReady", "CacheFailed"]


def test_a_timeout_of_zero_is_kept_of_the_service_and_empty_in_a_config_of_the_namespace() -> None:
    of_cluster = made(NEW, "AIMClusterRuntimeConfig", "default", {"routing": {"requestTimeout": "45s"}})
    of_namespace = made(NEW, "AIMRuntimeConfig", "default", {"routing": {"requestTimeout": "0ms"}})
    own = {"routing": {**ROUTED["routing"], "requestTimeout": "0"}}
    expected: list[tuple[JSONObject, list[JSONObject], str | None]] = [
        (own, [of_cluster], "0s"),
        (ROUTED, [of_cluster, of_namespace], "45s"),
        (ROUTED, [of_namespace], "0s"),
        (ROUTED, [], None),
    ]
    for spec, held, timeout in expected:
        rule = one(predicted(NEW, spec, model(NEW), template(NEW), *held), "HTTPRoute")["spec"]["rules"][0]
        assert rule.get("timeouts", {}).get("request") == timeout


def test_a_path_of_the_status_is_that_of_the_references_and_one_that_changes_is_said_not_to_be_known() -> None:
    def routed(path: str) -> JSONObject:
        return {"routing": {"enabled": True, "gatewayRef": {"name": "g"}, "pathTemplate": path}}

    found = predicted(NEW, routed("/y/{.status.resolvedModel.name}/{.status.resolvedTemplate.name}"), model(NEW), template(NEW))
    assert one(found, "HTTPRoute")["spec"]["rules"][0]["matches"][0]["path"]["value"] == "/y/llama/fast"
    found = predicted(NEW, routed("/z/{.spec.model}"), model(NEW), template(NEW))
    assert ("HTTPRoute" in kinds(found), [entry.subject for entry in found.unchecked]) == (False, ["the path of the route"])


def test_kaiwo_takes_a_template_of_the_derived_name_whatever_its_spec() -> None:
    held = template(OLD, "fast-ovr-20c78c7a", spec={"precision": "fp16"})
    found = predicted(OLD, {"templateRef": "fast", "overrides": {"metric": "latency"}}, model(OLD), template(OLD), held)
    assert found.status["resolvedTemplate"]["name"] == "fast-ovr-20c78c7a"
    assert one(found, "InferenceService")["spec"]["predictor"]["model"]["runtime"] == "fast-ovr-20c78c7a"
