"""If the operator hasn't reconciled a model yet, services of the same run see the templates that it will create."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aim.test_services_by_branch import SERVED, cluster, kinds, one, predicted
from tests.aim.test_workloads import made
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide

SOURCE = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}
HARDWARE = {"hardware": {"gpu": {"requests": 1, "model": "MI300X"}}}
RECOMMENDED = {"model": {"recommendedDeployments": [{"gpuModel": "MI300X", "gpuCount": 1, "metric": "latency", "precision": "fp8"}]}}
UNKNOWN = "what the image of AIMModel llama recommends isn't known, so neither are the templates that it makes"


def model(kind: str = "AIMModel", group: str = NEW, status: JSONObject | None = None, **spec: Any) -> JSONObject:
    return made(group, kind, "llama", {"image": "ghcr.io/acme/base:1", **spec}, status)


def custom(kind: str = "AIMModel", **more: Any) -> JSONObject:
    return model(kind, modelSources=[SOURCE], custom=HARDWARE, **more)


def reasons(found: Prediction) -> list[tuple[str, str]]:
    return [(entry.subject, entry.reason) for entry in found.unchecked]


@pytest.mark.parametrize("kind", ["AIMModel", "AIMClusterModel"])
def test_a_service_runs_with_the_template_of_a_new_model(kind: str) -> None:
    found = predicted(NEW, {"template": {"allowUnoptimized": True}}, custom(kind))
    template = found.status["resolvedTemplate"]["name"]
    assert template.startswith("llama-custom-")
    made_by = f"{kind.replace('Model', 'ServiceTemplate')} {template} doesn't exist yet: {kind} llama creates it"
    assert ("the template", made_by) in reasons(found)
    assert {*SERVED} <= {*kinds(found)}
    # The operator creates the template for the model.
    assert "AIMServiceTemplate" not in kinds(found)
    assert one(found, "AIMTemplateCache")["spec"]["templateName"] == template


def test_a_service_may_name_the_template_of_a_new_model() -> None:
    chosen = predicted(NEW, {"template": {"allowUnoptimized": True}}, custom()).status["resolvedTemplate"]["name"]
    assert predicted(NEW, {"template": {"name": chosen}}, custom()).status["resolvedTemplate"]["name"] == chosen
    assert "resolvedTemplate" not in predicted(NEW, {"template": {"name": "other"}}, custom()).status


def test_a_template_that_is_there_is_taken_as_it_is() -> None:
    name = predicted(NEW, {"template": {"allowUnoptimized": True}}, custom()).status["resolvedTemplate"]["name"]
    held = made(NEW, "AIMServiceTemplate", name, {"modelName": "llama"}, {"status": "Failed"})
    found = predicted(NEW, {"template": {"allowUnoptimized": True}}, custom(), held)
    assert "resolvedTemplate" not in found.status


def test_what_the_image_of_a_model_in_words_recommends_waits_for_discovery() -> None:
    found = predicted(NEW, {}, model(imageMetadata=RECOMMENDED))
    [(_, reason)] = [entry for entry in reasons(found) if "discovery" in entry[1]]
    assert reason.startswith("what discovery finds of template ghcr-io-acme-base-1-1x-mi300x-lat-fp8-")


@pytest.mark.parametrize("group", [NEW, OLD])
def test_templates_that_hang_on_an_image_are_not_known(group: str) -> None:
    found = predicted(group, {}, model(group=group))
    assert (found.failure, kinds(found)) == ("", [])
    assert UNKNOWN in [reason for _, reason in reasons(found)]


@pytest.mark.parametrize(
    ("group", "spec", "status"),
    [
        (NEW, {"discovery": {"extractMetadata": False}}, None),
        (NEW, {"discovery": {"createServiceTemplates": False}}, None),
        (OLD, {"discovery": {"enabled": False}}, None),
        (OLD, {"discovery": {"autoCreateTemplates": False}}, None),
        (NEW, {}, {"status": "Ready"}),
        (OLD, {}, {"status": "Ready"}),
    ],
)
def test_a_model_that_makes_no_template_leaves_its_service_without(group: str, spec: JSONObject, status: JSONObject | None) -> None:
    found = predicted(group, {}, model(group=group, status=status, **spec))
    assert found.failure
    assert UNKNOWN not in [reason for _, reason in reasons(found)]


def test_a_model_that_is_paused_makes_nothing() -> None:
    paused = custom()
    paused["metadata"]["annotations"] = {PAUSED: "true"}
    assert predicted(NEW, {"template": {"allowUnoptimized": True}}, paused).failure


def findings(obj: JSONObject, *held: JSONObject) -> list[str]:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = Request("1", Operation.CREATE, gvk, obj, namespace="shop", name=name_of(obj))
    return [finding.rule for finding in decide(request, cluster(*held), DEFAULT).findings]


@pytest.mark.parametrize(("kind", "scope"), [("AIMModel", "Namespace"), ("AIMClusterModel", "Cluster"), ("AIMModel", "Unknown")])
def test_a_cache_may_name_the_template_of_a_new_model(kind: str, scope: str) -> None:
    chosen = predicted(NEW, {"template": {"allowUnoptimized": True}}, custom()).status["resolvedTemplate"]["name"]
    cache = made(NEW, "AIMTemplateCache", "c", {"templateName": chosen, "templateScope": scope})
    assert "AIM-057" not in findings(cache, custom(kind))
    assert "AIM-057" in findings(cache, custom(kind, status={"status": "Ready"}))
    assert "AIM-057" in findings({**cache, "spec": {**cache["spec"], "templateName": "other"}}, custom(kind))


def test_the_rules_know_the_template_of_a_new_model() -> None:
    service = made(NEW, "AIMService", "chat", {"model": {"name": "llama"}, "template": {"allowUnoptimized": True}})
    assert not {"AIM-003", "AIM-013"} & {*findings(service, custom())}
    assert "AIM-013" in findings(service, custom(status={"status": "Ready"}))
