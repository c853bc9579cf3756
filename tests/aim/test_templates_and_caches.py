"""Service templates, template caches and artifacts of aim-engine, without a service: compared with the recordings, and branch by branch."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.aim.records import records
from tests.aim.replay import facts_of
from tests.aim.test_workloads import made
from tests.conftest import CountVectors
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.dialect import PAUSED
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.aim.kinds import NEW
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

_TEMPLATES = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
#: Templates whose recorded state isn't that after the first reconcile, with the reason.
EXCEPTIONS = {
    "di002": "the model is Failed because its template is",
    "di020": "the server refuses the status, for a source that discovery found",
}
SOURCE = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}


def predicted(obj: JSONObject, facts: Facts) -> Prediction | None:
    """The prediction of an object that is created."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    bare = {key: value for key, value in obj.items() if key != "status"}
    request = Request("1", Operation.CREATE, gvk, bare, namespace=namespace_of(obj), name=name_of(obj))
    return FAMILY.predict[gvk.kind](request, facts, DEFAULT)


def differs(obj: JSONObject, found: Prediction, outcome: JSONObject, recorded: JSONObject) -> list[str]:
    """The differences of a prediction from the record."""
    status, namespace = recorded["status"], namespace_of(obj)
    ends = ("Ready", "Failed", "Progressing") if found.status.get("status") == "Progressing" else (found.status.get("status"),)
    wrong = [] if status.get("status") in ends else ["status"]
    conditions = {kind: value[:2] for kind, value in status.get("conditions", {}).items()}
    told = found.status.get("conditions", ())
    wrong += [one["type"] for one in told if conditions.get(one["type"]) != [one["status"], one["reason"]]]
    named = {f"{one['kind']}/{namespace}/{name_of(one)}" for one in found.objects}
    jobs = {key for key in outcome if key.startswith(f"Job/{namespace}/discover-{name_of(obj)}-")}
    wrong += ["job"] if namespace and jobs != {key for key in named if key.startswith("Job/")} else []
    wrong += sorted(named - set(outcome))
    parts = ("modelSources", "profile", "resolvedHardware") if "profile" in found.status else ()
    return wrong + [part for part in parts if found.status.get(part) != status.get(part)]


def test_recorded_templates_come_out_as_predicted(shared: Path, count_vectors: CountVectors) -> None:
    wrong: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    for record in records("aim"):
        facts, stored = facts_of(record)
        if "paused" in record["title"]:
            continue
        for obj in (one for one in stored if one["kind"] in _TEMPLATES):
            key = "/".join(filter(None, (obj["kind"], namespace_of(obj), name_of(obj))))
            found = predicted(obj, facts)
            if key not in record["outcome"] or found is None:
                continue
            different = differs(obj, found, record["outcome"], record["outcome"][key])
            counts["templates"] += 1
            counts["agree"] += not different
            if different:
                wrong[record["id"]] = different
    assert set(wrong) == set(EXCEPTIONS), wrong
    count_vectors("aim templates", counts["agree"], counts["templates"])


def cluster(*held: JSONObject, gpu: str = "74a1") -> Facts:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"amd.com/gpu.device-id": gpu}}}
    facts = from_objects([node, *held], bundled_definitions())
    facts.objects.complete(besides=[(kind.gvk.group, kind.gvk.kind) for kind in FAMILY.kinds])
    return facts


MODEL = made(NEW, "AIMModel", "llama", {"image": "ghcr.io/acme/llama:1"}, {"status": "Ready"})
OF_CLUSTER = made(NEW, "AIMClusterModel", "llama", {"image": "ghcr.io/acme/llama:1"}, {"status": "Ready"})
MI300X: dict[str, Any] = {"hardware": {"gpu": {"requests": 1, "model": "MI300X"}}}


def template(kind: str = "AIMServiceTemplate", **spec: Any) -> JSONObject:
    return made(NEW, kind, "fast", {"modelName": "llama", **spec})


@pytest.mark.parametrize(
    ("obj", "held", "status", "reason"),
    [
        (template(), [], "Failed", "ReferenceNotFound"),
        (template(), [OF_CLUSTER], "Failed", "ReferenceNotFound"),
        (template("AIMClusterServiceTemplate"), [MODEL], "Failed", "ReferenceNotFound"),
        (template(runtimeConfigName="x"), [MODEL], "Failed", "ConfigNotFound"),
        (template(), [made(NEW, "AIMModel", "llama", {"image": ""})], "Failed", "ImageNotSpecified"),
        (template(), [made(NEW, "AIMModel", "llama", {"image": "x"}, {"status": "Failed"})], "Failed", "ModelFailed"),
        (template(hardware={"gpu": {"requests": 1, "model": "MI210"}}), [MODEL], "NotAvailable", "GPUNotAvailable"),
        (template(hardware={"gpu": {"requests": 1, "minVram": "900Gi"}}), [MODEL], "NotAvailable", "VRAMNotAvailable"),
    ],
)
def test_a_template_waits_for_its_model_its_config_and_its_gpu(obj: JSONObject, held: list[JSONObject], status: str, reason: str) -> None:
    found = predicted(obj, cluster(*held))
    assert found is not None
    assert (found.status["status"], [one["reason"] for one in found.status["conditions"]]) == (status, [reason])
    assert (list(found.objects), bool(found.waits)) == ([], True)


def test_a_template_that_needs_any_gpu_is_not_available_in_a_cluster_without_one() -> None:
    found = predicted(template(hardware={"gpu": {"requests": 1}}), cluster(MODEL, gpu="0000"))
    assert found is not None
    assert found.status["status"] == "Ready" or found.waits
    bare = from_objects([MODEL, {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}], bundled_definitions())
    bare.objects.complete(besides=[(kind.gvk.group, kind.gvk.kind) for kind in FAMILY.kinds])
    without = predicted(template(hardware={"gpu": {"requests": 1}}), bare)
    assert without is not None
    assert without.waits == "No GPUs available in cluster"


def test_a_template_with_sources_is_ready_with_the_profile_of_its_spec_and_makes_its_cache() -> None:
    spec: dict[str, Any] = {**MI300X, "metric": "latency", "type": "optimized", "modelSources": [{**SOURCE, "size": 17179869184}]}
    found = predicted(template(**spec, caching={"enabled": True, "env": [{"name": "A", "value": "1"}]}), cluster(MODEL))
    assert found is not None
    assert found.status == {
        "status": "Ready",
        "modelSources": [{**SOURCE, "size": "17179869184"}],
        "profile": {"metadata": {"gpuCount": 1, "gpu": "MI300X", "metric": "latency", "type": "optimized"}},
        "resolvedHardware": {"gpu": {"requests": 1, "model": "MI300X"}},
    }
    [cache] = found.objects
    assert (cache["kind"], name_of(cache), cache["spec"]["env"]) == ("AIMTemplateCache", "fast", [{"name": "A", "value": "1"}])
    plain = predicted(template(**spec), cluster(MODEL))
    of_cluster = predicted(template("AIMClusterServiceTemplate", **spec), cluster(OF_CLUSTER))
    assert plain is not None
    assert of_cluster is not None
    assert [*plain.objects, *of_cluster.objects] == []


def test_a_template_without_sources_waits_for_a_job_of_its_model_s_image() -> None:
    model = made(NEW, "AIMModel", "llama", {"image": "x:1", "imagePullSecrets": [{"name": "pull"}], "serviceAccountName": "own"})
    spec: dict[str, Any] = {**MI300X, "metric": "latency", "precision": "fp8", "profileId": "p", "env": [{"name": "A", "value": "1"}]}
    found = predicted(template(**spec), cluster(model))
    assert found is not None
    [job] = found.objects
    pod = job["spec"]["template"]["spec"]
    assert (found.status, found.waits) == ({"status": "Progressing"}, "a job has to discover it")
    assert (pod["serviceAccountName"], pod["imagePullSecrets"]) == ("own", [{"name": "pull"}])
    assert {entry["name"]: entry["value"] for entry in pod["containers"][0]["env"]} == {
        "AIM_LOG_LEVEL_ROOT": "CRITICAL",
        "AIM_LOG_LEVEL": "CRITICAL",
        "A": "1",
        "AIM_METRIC": "latency",
        "AIM_PRECISION": "fp8",
        "AIM_GPU_MODEL": "MI300X",
        "AIM_GPU_COUNT": "1",
        "AIM_PROFILE_ID": "p",
    }
    of_cluster = predicted(template("AIMClusterServiceTemplate", **spec), cluster(OF_CLUSTER))
    assert of_cluster is not None
    assert (list(of_cluster.objects), of_cluster.waits) == ([], "a job has to discover it")


@pytest.mark.parametrize("kind", ["AIMServiceTemplate", "AIMArtifact", "AIMTemplateCache"])
def test_nothing_is_done_about_an_object_that_is_paused(kind: str) -> None:
    paused = made(NEW, kind, "x", {"modelName": "llama"})
    paused["metadata"]["annotations"] = {PAUSED: "true"}
    found = predicted(paused, cluster(MODEL))
    assert found is not None
    assert (found.status, list(found.objects)) == ({}, [])
    assert found.failure.startswith(f"the annotation {PAUSED} makes the operator leave the ")


@pytest.mark.parametrize(
    ("size", "waits", "claims"),
    [
        ("16Gi", "a job has to download the weights", ["18Gi"]),
        ("1000Gi", "a job has to download the weights", ["1100Gi"]),
        ("0", "a job has to find out the size of the weights", []),
        (None, "a job has to find out the size of the weights", []),
        ("-1Gi", "a claim of the size -1Gi, which is refused", []),
    ],
)
def test_an_artifact_gets_a_claim_once_its_size_is_known(size: str | None, waits: str, claims: list[str]) -> None:
    spec = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama"} | ({"size": size} if size else {})
    config = made(NEW, "AIMRuntimeConfig", "default", {"storage": {"defaultStorageClassName": "slow"}})
    found = predicted(made(NEW, "AIMArtifact", "weights", spec), cluster(config))
    assert found is not None
    assert found.waits == waits
    assert [claim["spec"]["resources"]["requests"]["storage"] for claim in found.objects] == claims
    assert {claim["spec"]["storageClassName"] for claim in found.objects} <= {"slow"}


@pytest.mark.parametrize(
    ("spec", "held", "status", "kinds"),
    [
        ({"templateScope": "Namespace"}, ["own"], "Progressing", ["AIMArtifact", "PersistentVolumeClaim"]),
        ({"templateScope": "Unknown"}, ["own"], "Progressing", ["AIMArtifact", "PersistentVolumeClaim"]),
        ({"templateScope": "Unknown"}, ["cluster"], "Progressing", ["AIMArtifact", "PersistentVolumeClaim"]),
        ({"templateScope": "Cluster"}, ["own"], "Failed", []),
        ({"templateScope": "Namespace"}, ["cluster"], "Failed", []),
        ({"templateScope": "Namespace"}, ["own", "Ready"], "Ready", []),
        ({"templateScope": "Namespace"}, ["own", "Failed"], "Failed", []),
        (
            {"templateScope": "Namespace", "storageClassName": "slow"},
            ["own", "Ready"],
            "Progressing",
            ["AIMArtifact", "PersistentVolumeClaim"],
        ),
        ({"templateScope": "Namespace", "runtimeConfigName": "x"}, ["own"], "Failed", []),
    ],
)
def test_a_template_cache_takes_what_is_there_and_makes_the_rest(spec: JSONObject, held: list[str], status: str, kinds: list[str]) -> None:
    there = {
        "own": template(modelSources=[SOURCE]),
        "cluster": template("AIMClusterServiceTemplate", modelSources=[SOURCE]),
        **{state: made(NEW, "AIMArtifact", "weights", SOURCE, {"status": state}) for state in ("Ready", "Failed")},
    }
    found = predicted(made(NEW, "AIMTemplateCache", "cache", {"templateName": "fast", **spec}), cluster(*(there[one] for one in held)))
    assert found is not None
    assert (found.status["status"], [obj["kind"] for obj in found.objects]) == (status, kinds)
