"""A service that describes its own model: the model, its template and the pods are predicted at once for an empty cluster."""

from __future__ import annotations

from typing import Any

from tests.aim.records import records
from tests.aim.replay import Replayed, replay
from tests.aim.test_operator_records import EXCEPTIONS, differences
from tests.aim.test_workloads import made, predicted, template
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_MADE = ("AIMModel", "AIMServiceTemplate")


def described(hardware: JSONObject | None = None, *held: JSONObject, **more: Any) -> Prediction:
    """The prediction of a service that describes its model."""
    source = {"modelId": "acme/own", "sourceUri": "s3://store/own", "size": "2Gi"}
    custom = {"baseImage": "own:1", "modelSources": [source], "hardware": hardware or {"gpu": {"requests": 1, "model": "MI300X"}}}
    spec = {"model": {"custom": custom}, "template": {"allowUnoptimized": True}, **more}
    return predicted(NEW, spec, *held)


def kinds(found: Prediction) -> list[str]:
    """The kinds of the created objects, in order."""
    return [obj["kind"] for obj in found.objects]


def one(found: Prediction, kind: str) -> JSONObject:
    """The created object of a kind."""
    [only] = [obj for obj in found.objects if obj["kind"] == kind]
    return only


def test_a_described_model_is_served_by_the_template_that_is_made_of_it() -> None:
    found = described()
    assert kinds(found) == [*_MADE, "InferenceService", "Deployment", "AIMTemplateCache", "AIMArtifact", "PersistentVolumeClaim"]
    model, own = (name_of(one(found, kind)) for kind in _MADE)
    assert found.status["resolvedModel"] == {"name": model, "scope": "Namespace"}
    assert found.status["resolvedTemplate"] == {"name": own, "scope": "Namespace", "namespace": "shop"}
    assert own.startswith(f"{model}-custom-")
    container = one(found, "InferenceService")["spec"]["predictor"]["containers"][0]
    assert container["image"] == "own:1"
    assert container["resources"]["limits"]["amd.com/gpu"] == "1"
    assert {"name": "AIM_MODEL_ID", "value": "acme/own"} in container["env"]
    assert "status" not in one(found, "AIMModel")


def test_whether_the_image_is_there_is_not_known() -> None:
    [said] = described().unchecked
    assert "whether its registry has image own:1 isn't known" in said.reason


def test_a_described_model_waits_for_its_gpu() -> None:
    found = described({"gpu": {"requests": 1, "model": "MI355X"}})
    assert kinds(found) == [*_MADE]
    assert found.status["status"] == "Pending"
    assert found.failure == "no template of the model is ready"
    assert not found.unchecked


def test_an_unoptimized_template_is_not_chosen_unless_the_service_allows_it() -> None:
    found = described(template={})
    assert kinds(found) == [*_MADE]
    assert "allowUnoptimized" in found.failure


def test_a_named_template_serves_a_described_model() -> None:
    found = described(None, template(NEW), template={"name": "fast"})
    assert "InferenceService" in kinds(found)
    assert found.status["resolvedTemplate"]["name"] == "fast"
    container = one(found, "InferenceService")["spec"]["predictor"]["containers"][0]
    assert container["image"] == "own:1"


def test_nothing_of_a_described_model_is_made_where_the_config_is_missing() -> None:
    found = described(runtimeConfigName="gone")
    assert kinds(found) == []
    assert found.status["status"] == "Failed"


def test_a_model_that_is_there_already_is_not_made_again() -> None:
    first = described()
    there = {**one(first, "AIMModel"), "status": {"status": "Ready"}}
    again = described(None, there, one(first, "AIMServiceTemplate"))
    assert kinds(again) == kinds(first)[2:]
    assert {**again.status, "conditions": ()} == {**first.status, "conditions": ()}


def test_recorded_services_come_to_the_same_end_before_their_models_are_there() -> None:
    compared = 0
    for record in records("aim"):
        for case in _before_the_model(record):
            compared += 1
            assert {what for what in differences(case, is_old=False) if (record["id"], what) not in EXCEPTIONS} == set(), record["id"]
            named = {f"{obj['kind']}/{namespace_of(obj)}/{name_of(obj)}" for obj in case.effective.objects if obj["kind"] in _MADE}
            assert named <= set(case.outcome), record["id"]
    assert compared > 3 or not records("aim")


def _before_the_model(record: JSONObject) -> list[Replayed]:
    """The only service of a case, if it describes its model, in a cluster that has only the case's own objects."""
    given = {f"{obj['kind']}/{namespace_of(obj)}/{name_of(obj)}" for obj in record["objects"]}
    outcome = {key: value for key, value in record["outcome"].items() if key in given or not key.startswith(_MADE)}
    services = [obj for obj in record["objects"] if obj["kind"] == "AIMService"]
    is_there = any(obj["kind"] == "AIMModel" for obj in record["objects"])
    if len(services) != 1 or is_there or not part(services[0], "spec", "model", "custom"):
        return []
    return [Replayed(record, case.service, case.effective, record["outcome"]) for case in replay({**record, "outcome": outcome})]


def test_a_description_in_place_of_a_model_that_differs_is_made_anew() -> None:
    other = made(
        NEW, "AIMModel", "other", {"image": "own:1", "modelSources": [{"modelId": "x", "sourceUri": "s3://x"}]}, {"status": "Ready"}
    )
    assert kinds(described(None, other))[:2] == [*_MADE]
