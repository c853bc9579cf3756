"""The templates that aim-engine creates for a model: compared with the recordings, and branch by branch."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.aim.records import records
from tests.aim.replay import facts_of
from tests.aim.test_templates_and_caches import cluster
from tests.aim.test_workloads import made
from tests.conftest import CountVectors
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request

_MODELS = {"AIMModel": "AIMServiceTemplate", "AIMClusterModel": "AIMClusterServiceTemplate"}
SOURCE: JSONObject = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}


def predicted(model: JSONObject, facts: Facts) -> Prediction | None:
    gvk = GroupVersionKind.from_object(model)
    assert gvk is not None
    request = Request("1", Operation.CREATE, gvk, model, namespace=namespace_of(model), name=name_of(model))
    return FAMILY.predict[gvk.kind](request, facts, DEFAULT)


def recorded(record: dict[str, Any], model: JSONObject) -> dict[str, tuple[JSONObject, JSONObject]]:
    """The specs and labels of the recorded templates of a model."""
    domain, out = "aim.eai.amd.com", {}
    for key, found in record["outcome"].items():
        kind, *place = key.split("/")
        labels = found.get("labels") or {}
        is_of_model = labels.get(f"{domain}/origin") == "auto-generated" and labels.get(f"{domain}/model") == name_of(model)
        if kind == _MODELS[model["kind"]] and is_of_model and place[:-1] in ([], [namespace_of(model)]):
            out[place[-1]] = found["spec"], labels
    return out


def models_of(record: dict[str, Any], stored: list[JSONObject]) -> list[JSONObject]:
    """The models of a record, with those that were created for services, and with the metadata of their images."""
    given = {name_of(obj) for obj in stored if obj["kind"] == "AIMModel"}
    out = [obj for obj in stored if obj["kind"] in _MODELS]
    for key, found in record["outcome"].items():
        kind, *place = key.split("/")
        if kind == "AIMModel" and place[-1] not in given and found.get("spec"):
            metadata = {"name": place[-1], "namespace": place[0], "labels": found.get("labels") or {}}
            out.append({"apiVersion": f"{NEW}/v1alpha1", "kind": kind, "metadata": metadata, "spec": found["spec"]})
    for model in out:
        key = "/".join(filter(None, (model["kind"], namespace_of(model), name_of(model))))
        image = (record["outcome"].get(key, {}).get("status") or {}).get("imageMetadata")
        model["status"] = {"imageMetadata": image} if image else {}
    return out


def test_recorded_models_make_the_templates_that_are_predicted(shared: Path, count_vectors: CountVectors) -> None:
    wrong: dict[str, object] = {}
    counts: Counter[str] = Counter()
    for record in records("aim"):
        facts, stored = facts_of(record)
        for model in models_of(record, stored):
            found = predicted(model, facts)
            assert found is not None
            ours = {name_of(obj): (obj["spec"], obj["metadata"]["labels"]) for obj in found.objects}
            theirs = recorded(record, model)
            counts["models"] += 1
            counts["agree"] += ours == theirs
            if ours != theirs:
                wrong[record["id"]] = ours, theirs
    assert not wrong
    count_vectors("aim models", counts["agree"], counts["models"])


def model(kind: str = "AIMModel", **spec: Any) -> JSONObject:
    return made(NEW, kind, "llama", {"image": "ghcr.io/acme/llama:1", **spec})


@pytest.mark.parametrize(
    ("obj", "count", "said"),
    [
        (model(), 0, "what its image recommends isn't known"),
        (model(customTemplates=[{"name": "a"}]), 0, "what its image recommends isn't known"),
        (model(imageMetadata={"model": {}}), 0, ""),
        (model(imageMetadata={"model": {"recommendedDeployments": [{"gpuModel": "MI300X", "gpuCount": 1}, {"metric": "latency"}]}}), 2, ""),
        (model(imageMetadata={}, customTemplates=[{"name": "a"}, {"name": "b"}]), 2, ""),
        (model(modelSources=[SOURCE]), 1, ""),
        (model(modelSources=[SOURCE], customTemplates=[{"name": "a"}, {"name": "b"}]), 2, ""),
        (model("AIMClusterModel", modelSources=[SOURCE]), 1, ""),
        (model(modelSources=[SOURCE], discovery={"createServiceTemplates": False}), 0, ""),
        (model(modelSources=[SOURCE], runtimeConfigName="x"), 0, ""),
    ],
)
def test_a_model_makes_a_template_for_each_deployment_and_each_custom_template(obj: JSONObject, count: int, said: str) -> None:
    found = predicted(obj, cluster())
    assert found is not None
    assert (len(found.objects), [entry.reason for entry in found.unchecked]) == (count, [said] if said else [])
    assert {one["kind"] for one in found.objects} <= {_MODELS[obj["kind"]]}


def test_a_custom_template_has_the_hardware_and_the_variables_of_both() -> None:
    hardware = {"gpu": {"requests": 1, "minVram": "64Gi"}, "cpu": {"requests": "4"}}
    own = {"gpu": {"requests": 2, "resourceName": "x"}, "cpu": {"requests": "8", "limits": "9"}}
    custom = {"name": "a", "hardware": own, "env": [{"name": "B", "value": "2"}], "profile": {"metric": "latency", "precision": "fp8"}}
    spec: dict[str, Any] = {
        "custom": {"hardware": hardware, "type": "preview"},
        "env": [{"name": "A", "value": "1"}],
        "customTemplates": [custom],
    }
    found = predicted(model(modelSources=[SOURCE], **spec), cluster())
    assert found is not None
    [template] = found.objects
    assert template["metadata"]["labels"]["aim.eai.amd.com/template.alias"] == "a"
    assert template["spec"] == {
        "modelName": "llama",
        "modelSources": [SOURCE],
        "type": "preview",
        "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
        "hardware": {"gpu": {"requests": 2, "minVram": "64Gi", "resourceName": "x"}, "cpu": {"requests": "8", "limits": "9"}},
        "resources": {"requests": {"cpu": "8"}, "limits": {"cpu": "9"}},
        "metric": "latency",
        "precision": "fp8",
    }


@pytest.mark.parametrize(
    ("deployment", "said"),
    [({"metric": "speed"}, "spec.metric has no value speed"), ({"precision": "fp2"}, "spec.precision has no value fp2")],
)
def test_templates_are_made_up_to_the_first_that_the_server_refuses(deployment: JSONObject, said: str) -> None:
    recommended = [{"gpuModel": "MI300X", "gpuCount": 1}, {"gpuModel": "Z", **deployment}]
    found = predicted(model(imageMetadata={"model": {"recommendedDeployments": recommended}}), cluster())
    assert found is not None
    assert (len(found.objects), found.waits.partition(": ")[2]) == (1, said)
    both: dict[str, Any] = {
        "custom": {"hardware": {"gpu": {"requests": 1, "minVram": "1Gi"}}},
        "customTemplates": [{"hardware": {"gpu": {"model": "MI300X"}}}],
    }
    excluded = predicted(model(modelSources=[SOURCE], **both), cluster())
    assert excluded is not None
    assert (list(excluded.objects), excluded.waits.partition(": ")[2]) == ([], "spec.hardware.gpu has both model and minVram")


def test_a_model_that_is_paused_makes_nothing_and_of_the_old_group_nothing_is_predicted() -> None:
    paused = model(modelSources=[SOURCE])
    paused["metadata"]["annotations"] = {PAUSED: "true"}
    found = predicted(paused, cluster())
    assert found is not None
    assert (list(found.objects), found.failure) == ([], f"the annotation {PAUSED} makes the operator leave the model alone")
    assert predicted(made(OLD, "AIMModel", "llama", {"image": "x"}), cluster()) is None
