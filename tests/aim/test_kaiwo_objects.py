"""Templates, template caches and model caches of the old group, without a service: compared with the recordings, and branch by branch."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from tests.aim.records import records
from tests.aim.replay import facts_of, replay
from tests.aim.test_templates_and_caches import predicted
from tests.aim.test_workloads import KINDS, made
from tests.conftest import CountVectors
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

_TEMPLATES = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
_NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"amd.com/gpu.device-id": "74a1"}}}
_MODEL = made(OLD, "AIMModel", "llama", {"image": "llama:1"})
_SOURCE = {"name": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}


def cluster(*held: JSONObject, node: JSONObject | None = _NODE) -> Facts:
    """A cluster with one GPU and no other objects."""
    found = from_objects([*([node] if node else []), *held], bundled_definitions())
    found.objects.complete(besides=[(OLD, kind) for kind in (*KINDS, "AIMTemplateCache", "AIMModelCache")])
    return found


def of(obj: JSONObject, facts: Facts) -> Prediction:
    """The prediction of an object that is created."""
    found = predicted(obj, facts)
    assert found is not None
    return found


def kinds(found: Prediction) -> list[str]:
    """The kinds of the created objects."""
    return [obj["kind"] for obj in found.objects]


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
        # The template's own sources count before the GPU and the model.
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
    [_, made_cache, _] = of(template(modelSources=[_SOURCE], caching=caching), cluster(_MODEL, config)).objects
    assert (made_cache["kind"], name_of(made_cache), namespace_of(made_cache)) == ("AIMTemplateCache", "t", "shop")
    assert made_cache["spec"] == {"templateRef": "t", "storageClassName": "fast", "env": caching["env"]}
    assert kinds(of(template(caching=caching), cluster(_MODEL))) == ["Job"]
    assert kinds(of(template(modelSources=[_SOURCE], caching={"enabled": False}), cluster(_MODEL))) == ["Job", "ServingRuntime"]


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


@pytest.mark.parametrize(
    ("spec", "held", "made_kinds"),
    [
        # Without a model, or without the GPU, KServe gets no runtime, though the template is ready.
        ({"modelSources": [_SOURCE]}, [], []),
        ({"modelSources": [_SOURCE], "gpuSelector": {"count": 1, "model": "MI210"}}, [_MODEL], []),
        ({"modelSources": [_SOURCE]}, [_MODEL], ["Job", "ServingRuntime"]),
        ({}, [_MODEL], ["Job"]),
        ({"gpuSelector": {"count": 1, "model": "MI210"}}, [_MODEL], []),
    ],
)
def test_a_template_has_a_runtime_or_a_job_of_its_model_and_its_gpu(
    spec: JSONObject, held: list[JSONObject], made_kinds: list[str]
) -> None:
    assert kinds(of(template(**spec), cluster(*held))) == made_kinds


def test_without_nodes_it_is_said_that_the_runtime_of_a_template_is_not_known() -> None:
    asks = template(modelSources=[_SOURCE], gpuSelector={"count": 1, "model": "MI300X"})
    found = of(asks, cluster(_MODEL, node=None))
    assert (found.status["status"], kinds(found)) == ("Ready", [])
    assert [(one.subject, one.reason) for one in found.unchecked] == [("its ServingRuntime", "the nodes of the cluster aren't known")]


def test_a_runtime_asks_for_the_gpus_that_discovery_found() -> None:
    spec: JSONObject = {
        "gpuSelector": {"count": 4, "model": "MI300X", "resourceName": "amd.com/gpu"},
        "imagePullSecrets": [{"name": "pull"}],
    }
    stored = {**template(**spec), "status": {"status": "Ready", "profile": {"metadata": {"gpuCount": 2}}}}
    [runtime] = updated(stored, cluster(_MODEL)).objects
    assert runtime["spec"]["containers"][0]["resources"]["limits"] == {"amd.com/gpu": "2"}
    assert runtime["spec"]["imagePullSecrets"] == [{"name": "pull"}]
    of_cluster = {**template("AIMClusterServiceTemplate"), "status": {"status": "Ready"}}
    held = made(OLD, "AIMClusterModel", "llama", {"image": "llama:1"})
    [shared] = updated(of_cluster, cluster(held)).objects
    assert (shared["kind"], shared["metadata"].get("namespace")) == ("ClusterServingRuntime", None)


def test_labels_go_from_a_template_to_its_job_and_to_the_pod_of_the_job() -> None:
    config = made(OLD, "AIMRuntimeConfig", "default", {"labelPropagation": {"enabled": True, "match": ["team", "app.kubernetes.io/*"]}})
    labelled = template()
    labelled["metadata"]["labels"] = {"team": "a", "other": "b", "app.kubernetes.io/name": "mine"}
    [job] = of(labelled, cluster(_MODEL, config)).objects
    assert job["spec"]["template"]["metadata"] == {"labels": {"team": "a"}}
    assert job["metadata"]["labels"] == {
        "team": "a",
        "aim.silogen.ai/template": "t",
        "app.kubernetes.io/component": "discovery-job",
        "app.kubernetes.io/managed-by": "aim-controller",
        "app.kubernetes.io/name": "aim-discovery",
    }


def updated(obj: JSONObject, facts: Facts) -> Prediction:
    """The prediction of an object with its status, as the operator finds it later."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = Request("1", Operation.UPDATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))
    found = FAMILY.predict[gvk.kind](request, facts, DEFAULT)
    assert found is not None
    return found


def _recorded(found: JSONObject) -> JSONObject:
    """The labels and the spec of a recorded object, without the values that the server fills in."""
    spec = copy.deepcopy(found["spec"])
    if found["kind"] in ("Job", "StatefulSet"):
        pod = spec["template"]["spec"]
        for container in pod["containers"]:
            drop(container, "imagePullPolicy", "terminationMessagePath", "terminationMessagePolicy")
            if not container.get("resources"):
                container.pop("resources", None)
            for probe in ("livenessProbe", "readinessProbe"):
                drop(container.get(probe, {}), "successThreshold")
        drop(pod, "serviceAccount", "dnsPolicy", "schedulerName", "terminationGracePeriodSeconds")
        if found["kind"] == "StatefulSet":
            drop(pod, "restartPolicy", "securityContext")
        if not spec["template"].get("metadata", {}).get("labels"):
            spec["template"].pop("metadata", None)
    for claim in spec.get("volumeClaimTemplates", ()):
        drop(claim, "apiVersion", "kind", "status")
        drop(claim["spec"], "volumeMode")
    drop(spec, "revisionHistoryLimit", "updateStrategy", *SERVERS_OWN)
    return {"labels": found.get("labels") or {}, "spec": spec}


#: The fields of a Service that the server fills in.
SERVERS_OWN = ("clusterIP", "clusterIPs", "internalTrafficPolicy", "ipFamilies", "ipFamilyPolicy", "sessionAffinity", "type")
#: The kinds whose objects are compared as a whole.
WHOLE = ("Job", "ServingRuntime", "ClusterServingRuntime", "StatefulSet", "Service", "AIMKVCache")


def drop(found: JSONObject, *keys: str) -> None:
    for key in keys:
        found.pop(key, None)


def _given(obj: JSONObject) -> JSONObject:
    spec = {**obj["spec"]} | ({"selector": obj["spec"]["selector"]} if obj["kind"] == "Service" else {})
    return {"labels": obj["metadata"].get("labels", {}), "spec": spec}


def test_recorded_jobs_runtimes_and_caches_are_made_whole(count_vectors: CountVectors) -> None:
    """Each template is compared twice: for its job as it is created, and for its runtime with its last status."""
    counts: Counter[str] = Counter()
    wrong = []
    for record in records("aim-kaiwo"):
        # A template that was changed later has the job of its first form.
        facts, stored = facts_of({**record, "steps": []})
        outcome = record["outcome"]
        of_services = [obj for case in replay(record) for obj in case.effective.objects]
        objects = [obj for obj in stored if obj["kind"] == "AIMServiceTemplate"]
        ours = [one for obj in objects for one in of(obj, facts).objects]
        there = [facts.objects.get(OLD, obj["kind"], namespace_of(obj), name_of(obj)) for obj in objects]
        ours += [one for obj in there if obj is not None for one in updated(obj, facts).objects]
        named = {f"{obj['kind']}/{namespace_of(obj)}/{name_of(obj)}": obj for obj in (*ours, *of_services) if obj["kind"] in WHOLE}
        made_templates = [obj for obj in of_services if obj["kind"] == "AIMServiceTemplate"]
        named |= {f"{obj['kind']}/{namespace_of(obj)}/{name_of(obj)}": obj for obj in made_templates}
        for key, theirs in outcome.items():
            kind = key.partition("/")[0]
            is_derived = (theirs.get("labels") or {}).get(f"{OLD}/derived-template") == "true"
            if not is_derived and (kind not in WHOLE or not is_made_for(theirs, objects, kind)):
                continue
            counts["all"] += 1
            if key in named and _given(named[key]) == _recorded({**theirs, "kind": kind}):
                counts["agree"] += 1
            else:
                wrong.append((record["id"], key))
    count_vectors("aim-kaiwo jobs, runtimes and caches", counts["agree"], counts["all"])
    assert wrong == []


def is_made_for(found: JSONObject, objects: list[JSONObject], kind: str) -> bool:
    """Whether a recorded object was created for one of the templates or for a service, and not for a template of a model."""
    if kind not in ("Job", "ServingRuntime"):
        return True
    owners = {owner.partition("/")[2] for owner in found.get("owners", ()) if owner.startswith("AIMServiceTemplate/")}
    return bool(owners & {name_of(obj) for obj in objects})


def test_recorded_objects_come_out_as_predicted(count_vectors: CountVectors) -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for record in records("aim-kaiwo"):
        facts, stored = facts_of({**record, "steps": []})
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
