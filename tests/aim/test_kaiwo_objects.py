"""Templates, template caches and model caches of the old group as objects of their own: by the recordings, and branch by branch."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.aim.records import records
from tests.aim.replay import facts_of
from tests.aim.test_templates_and_caches import predicted
from tests.aim.test_workloads import KINDS, made
from tests.conftest import CountVectors
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.webhook.inputs.facts import bundled_definitions

_TEMPLATES = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
_NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"amd.com/gpu.device-id": "74a1"}}}
_MODEL = made(OLD, "AIMModel", "llama", {"image": "llama:1"})
_SOURCE = {"name": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}


def cluster(*held: JSONObject, node: JSONObject | None = _NODE) -> Facts:
    """A cluster with one GPU, in which nothing else is."""
    found = from_objects([*([node] if node else []), *held], bundled_definitions())
    found.objects.complete(besides=[(OLD, kind) for kind in (*KINDS, "AIMTemplateCache", "AIMModelCache")])
    return found


def of(obj: JSONObject, facts: Facts) -> Prediction:
    """The prediction of an object that is created."""
    found = predicted(obj, facts)
    assert found is not None
    return found


def template(kind: str = "AIMServiceTemplate", **spec: Any) -> JSONObject:
    """A template of model `llama`."""
    return made(OLD, kind, "t", {"modelName": "llama", **spec})


def cache(**spec: Any) -> JSONObject:
    """A cache of template `t`."""
    return made(OLD, "AIMTemplateCache", "c", {"templateRef": "t", **spec})


@pytest.mark.parametrize(
    ("spec", "held", "status", "reason"),
    [
        ({"runtimeConfigName": "gone"}, [_MODEL], "Failed", "Failed"),
        # Sources of its own count before the GPU and the model.
        ({"modelSources": [_SOURCE], "gpuSelector": {"count": 1, "model": "MI210"}}, [], "Ready", ""),
        ({"gpuSelector": {"count": 1, "model": "MI210"}}, [], "NotAvailable", "GPUUnavailable"),
        ({"gpuSelector": {"count": 1, "model": "MI300X"}}, [], "Degraded", "ImageNotFound"),
        ({}, [made(OLD, "AIMModel", "llama", {"image": ""})], "Degraded", "ImageNotFound"),
        ({}, [made(OLD, "AIMClusterModel", "llama", {"image": "llama:1"})], "Progressing", ""),
        ({}, [_MODEL], "Progressing", ""),
    ],
)
def test_a_template_ends_at_the_first_thing_that_is_missing(spec: JSONObject, held: list[JSONObject], status: str, reason: str) -> None:
    found = of(template(**spec), cluster(*held))
    assert found.status["status"] == status
    assert [one["reason"] for one in found.status.get("conditions", ())][:1] == ([reason] if reason else [])


def test_a_template_of_the_cluster_needs_a_model_of_the_cluster() -> None:
    found = of(template("AIMClusterServiceTemplate"), cluster(_MODEL))
    assert found.status["conditions"][0]["message"] == 'No AIMClusterModel found for image name "llama"'


def test_a_template_of_the_cluster_has_the_configs_of_the_operator_s_namespace() -> None:
    config = made(OLD, "AIMRuntimeConfig", "own", {})
    config["metadata"]["namespace"] = "kaiwo-system"
    held = made(OLD, "AIMClusterModel", "llama", {"image": "llama:1"})
    assert of(template("AIMClusterServiceTemplate", runtimeConfigName="own"), cluster(config, held)).status["status"] == "Progressing"
    assert of(template(runtimeConfigName="own"), cluster(config, held)).status["status"] == "Failed"


def test_without_nodes_or_models_a_template_is_not_predicted() -> None:
    asks = template(gpuSelector={"count": 1, "model": "MI300X"})
    found = of(asks, cluster(_MODEL, node=None))
    assert (found.status, [one.reason for one in found.unchecked]) == ({}, ["the nodes of the cluster aren't known"])
    unknown = of(asks, from_objects([_NODE], bundled_definitions()))
    assert unknown.status == {}
    assert "not all AIMModels of the cluster are known" in [one.reason for one in unknown.unchecked]


def test_a_template_that_caches_makes_a_cache_of_its_name_once_its_sources_are_known() -> None:
    config = made(OLD, "AIMRuntimeConfig", "default", {"defaultStorageClassName": "fast"})
    caching = {"enabled": True, "env": [{"name": "A", "value": "1"}]}
    [made_cache] = of(template(modelSources=[_SOURCE], caching=caching), cluster(_MODEL, config)).objects
    assert (made_cache["kind"], name_of(made_cache), namespace_of(made_cache)) == ("AIMTemplateCache", "t", "shop")
    assert made_cache["spec"] == {"templateRef": "t", "storageClassName": "fast", "env": caching["env"]}
    assert list(of(template(caching=caching), cluster(_MODEL)).objects) == []
    assert list(of(template(modelSources=[_SOURCE], caching={"enabled": False}), cluster(_MODEL)).objects) == []


def test_a_template_cache_waits_for_its_template() -> None:
    found = of(cache(), cluster())
    assert found.status["status"] == "Pending"
    assert found.status["conditions"][0]["reason"] == "AwaitingTemplate"
    unknown = of(cache(), from_objects([], bundled_definitions()))
    assert unknown.status == {}
    assert unknown.unchecked


def test_a_template_cache_makes_what_is_missing() -> None:
    found = of(cache(storageClassName="fast"), cluster(template(modelSources=[_SOURCE])))
    assert [(obj["kind"], name_of(obj)) for obj in found.objects] == [
        ("AIMModelCache", "acme-llama"),
        ("PersistentVolumeClaim", "acme-llama-cache"),
    ]
    assert found.status == {"status": "Progressing"}


@pytest.mark.parametrize("status", ["Available", "Progressing", "Failed"])
def test_a_template_cache_is_as_well_as_the_model_cache_that_is_there(status: str) -> None:
    there = made(OLD, "AIMModelCache", "m", {"sourceUri": "hf://acme/llama", "size": "16Gi"}, {"status": status})
    found = of(cache(), cluster(template(modelSources=[_SOURCE]), there))
    assert (found.status, list(found.objects)) == ({"status": status}, [])


def test_a_template_cache_of_no_sources_stays_pending() -> None:
    assert of(cache(), cluster(template())).status == {"status": "Pending"}


@pytest.mark.parametrize(("size", "status", "claims"), [("16Gi", "Progressing", ["18Gi"]), ("0", "Failed", []), ("-1Gi", "Failed", [])])
def test_a_model_cache_gets_its_claim_at_once(size: str, status: str, claims: list[str]) -> None:
    found = of(made(OLD, "AIMModelCache", "m", {"sourceUri": "hf://acme/llama", "size": size}), cluster())
    assert found.status["status"] == status
    assert [obj["spec"]["resources"]["requests"]["storage"] for obj in found.objects] == claims


def test_kaiwo_knows_no_pause() -> None:
    paused = template()
    paused["metadata"]["annotations"] = {PAUSED: "true"}
    assert of(paused, cluster(_MODEL)).status["status"] == "Progressing"


def test_recorded_objects_come_out_as_predicted(count_vectors: CountVectors) -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for record in records("aim-kaiwo"):
        facts, stored = facts_of(record)
        for obj in (obj for obj in stored if obj["kind"] in (*_TEMPLATES, "AIMTemplateCache", "AIMModelCache")):
            key = "/".join(filter(None, (obj["kind"], namespace_of(obj), name_of(obj))))
            found, status = of(obj, facts), record["outcome"][key]["status"]
            ends = {"Progressing": ("Ready", "Failed", "Progressing", "Available")}.get(found.status["status"], (found.status["status"],))
            named = {f"{one['kind']}/{namespace_of(one)}/{name_of(one)}" for one in found.objects}
            if status["status"] in ends and named <= set(record["outcome"]):
                counts["agree"] += 1
            else:
                wrong.append(key)
            counts["all"] += 1
    count_vectors("aim-kaiwo objects", counts["agree"], counts["all"])
    assert wrong == []
