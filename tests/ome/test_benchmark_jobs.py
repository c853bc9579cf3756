"""The BenchmarkJobs for which OME creates no Job, what it waits for, and what it reads from a service."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from tests.ome.records import DEFINITIONS, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.benchmark import predict
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, Operation

_READY: JSONObject = {"url": "http://chat.shop.example.org", "conditions": [{"type": "Ready", "status": "True"}]}
_MODEL: JSONObject = {"storage": {"storageUri": "hf://acme/llama", "path": "/m"}}
_STORED = {"uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z"}


def _object(kind: str, name: str, spec: JSONObject, status: JSONObject | None = None) -> JSONObject:
    obj: JSONObject = {
        "apiVersion": f"{GROUP}/v1beta1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
        "spec": copy.deepcopy(spec),
    }
    return {**obj, "status": status} if status is not None else obj


def _service(spec: JSONObject | None = None, status: JSONObject | None = _READY) -> JSONObject:
    return _object("InferenceService", "chat", spec if spec is not None else {"model": {"name": "llama"}}, status)


def _settings(text: str | None) -> JSONObject:
    data: JSONObject = {"benchmarkjob": text} if text is not None else {}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "benchmarkjob-config", "namespace": "ome"}, "data": data}


def _job(uri: str = "s3://bucket", **spec: Any) -> JSONObject:
    endpoint = {"inferenceService": {"name": "chat", "namespace": "shop"}}
    run = {"task": "text-to-text", "maxTimePerIteration": 1, "maxRequestsPerIteration": 2}
    return _object("BenchmarkJob", "bench", {"endpoint": endpoint, **run, "outputLocation": {"storageUri": uri}, **spec})


def _predicted(*held: JSONObject, job: JSONObject | None = None, old: JSONObject | None = None, known: bool = True) -> Prediction:
    facts = from_objects(held, DEFINITIONS)
    if known:
        kinds = ("InferenceService", "BaseModel", "ClusterBaseModel")
        facts.objects.complete(besides=[*((GROUP, kind) for kind in kinds), ("", "PersistentVolumeClaim")])
    request = request_for(job or _job())
    found = predict(replace(request, operation=Operation.UPDATE, old_object=old) if old is not None else request, facts, DEFAULT)
    assert found is not None
    return found


def _container(prediction: Prediction) -> Any:
    [made] = prediction.objects
    spec: Any = made["spec"]
    return spec["template"]["spec"]["containers"][0]


def _argument(prediction: Prediction, name: str) -> str:
    arguments = _container(prediction)["args"]
    return str(arguments[arguments.index(name) + 1])


_LLAMA = _object("BaseModel", "llama", _MODEL)


@pytest.mark.parametrize(
    ("held", "uri", "failure"),
    [
        ([_LLAMA], "s3://b", "InferenceService shop/chat doesn't exist"),
        ([_service({"engine": {}}), _LLAMA], "s3://b", "InferenceService shop/chat names no model"),
        ([_service()], "s3://b", "model llama of InferenceService shop/chat doesn't exist"),
        (
            [_service(), _object("BaseModel", "llama", {"storage": {"storageUri": "hf://a/b"}})],
            "s3://b",
            "model llama names no storage.path",
        ),
        ([_service(), _object("BaseModel", "llama", {})], "s3://b", "model llama names no storage.path"),
        ([_service(status={**_READY, "url": "chat.shop"}), _LLAMA], "s3://b", "InferenceService shop/chat has no URL in its status"),
        ([_service(), _LLAMA], "vendor://a/b/c", "results can't be written to vendor://"),
        ([_service(), _LLAMA], "pvc://elsewhere:out/x", 'namespace "shop" has no PersistentVolumeClaim "out"'),
        (
            [_service(), _LLAMA, _settings("{")],
            "s3://b",
            "ConfigMap ome/benchmarkjob-config can't be read: benchmarkjob isn't the JSON that OME expects",
        ),
        (
            [_service(), _LLAMA, _settings('{"podConfig": {"image": 1}}')],
            "s3://b",
            "ConfigMap ome/benchmarkjob-config can't be read: benchmarkjob isn't the JSON that OME expects",
        ),
        (
            [_service(), _LLAMA, _settings(None)],
            "s3://b",
            'panic: ConfigMap ome/benchmarkjob-config has the cpuRequest "", which isn\'t a quantity',
        ),
    ],
)
def test_ome_makes_no_job_without_what_it_needs(held: list[JSONObject], uri: str, failure: str) -> None:
    found = _predicted(*held, job=_job(uri))
    assert (found.failure, found.weight, found.objects, found.status) == (failure, Severity.WARNING, (), {"state": "Pending"})


@pytest.mark.parametrize(
    "status", [None, {}, {"conditions": [{"type": "Ready", "status": "False"}, {"type": "EngineReady", "status": "True"}]}]
)
def test_a_job_waits_until_its_service_is_ready_whatever_else_is_missing(status: JSONObject | None) -> None:
    found = _predicted(_service(status=status), job=_job("vendor://a/b/c"))
    assert (found.waits, found.failure, found.objects) == ("InferenceService shop/chat isn't Ready yet", "", ())


def test_the_pods_of_a_waiting_job_are_placed_where_the_model_comes() -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {}}}
    found = _predicted(_service(status={}), _LLAMA, node)
    assert found.placed is not None
    [job] = found.placed()
    spec: Any = job["spec"]
    assert "models.ome.io/shop.basemodel.llama" not in spec["template"]["spec"]["nodeSelector"]


def test_a_waiting_job_that_the_api_server_will_refuse_isn_t_placed() -> None:
    found = _predicted(_service(status={}), _LLAMA, job=_job(podOverride={"resources": {"requests": {"cpu": "8"}}}))
    assert (found.failure, found.placed and found.placed()) == ("", [])


@pytest.mark.parametrize("endpoint", [{}, {"endpoint": {"url": "http://x"}, "inferenceService": {"name": "chat", "namespace": "shop"}}])
def test_nothing_is_predicted_of_a_job_that_the_webhook_refuses(endpoint: JSONObject) -> None:
    found = _predicted(job=_job(endpoint=endpoint))
    assert (found.failure, found.objects, found.status) == ("", (), {})


@pytest.mark.parametrize(
    ("held", "unknown"),
    [
        ([], ["the InferenceService isn't known", "not all PersistentVolumeClaims of the cluster are known"]),
        ([_service()], ["not all BaseModels of the cluster are known", "not all PersistentVolumeClaims of the cluster are known"]),
    ],
)
def test_what_isn_t_known_is_said_and_no_job_is_guessed(held: list[JSONObject], unknown: list[str]) -> None:
    found = _predicted(*held, job=_job("pvc://out/x"), known=False)
    assert ([entry.reason for entry in found.unchecked], found.objects, found.failure) == (unknown, (), "")


def test_a_claim_that_isn_t_known_is_taken_to_be_there() -> None:
    found = _predicted(_service(), _LLAMA, job=_job("pvc://out/x"), known=False)
    assert [entry.reason for entry in found.unchecked] == ["not all PersistentVolumeClaims of the cluster are known"]
    assert _argument(found, "--experiment-base-dir") == "/x"


@pytest.mark.parametrize(
    ("spec", "backend"),
    [
        ({"model": {"name": "llama"}}, "openai"),
        ({"model": {"name": "llama"}, "engine": {"runner": {"env": [{"name": "PROTOCOL_VERSION", "value": "cohere"}]}}}, "cohere"),
        ({"model": {"name": "llama"}, "engine": {"runner": {"env": [{"name": "PROTOCOL_VERSION", "valueFrom": {}}]}}}, "openai"),
        (
            {"model": {"name": "llama"}, "engine": {"leader": {"runner": {"env": [{"name": "PROTOCOL_VERSION", "value": "cohere"}]}}}},
            "openai",
        ),
        ({"predictor": {"model": {"baseModel": "llama", "protocolVersion": "v2"}}, "model": {"name": "other"}}, "v2"),
        ({"predictor": {"model": {"baseModel": "llama", "protocolVersion": ""}}}, "openai"),
    ],
)
def test_the_protocol_is_that_of_the_predictor_or_of_the_engine_s_own_runner(spec: JSONObject, backend: str) -> None:
    assert _argument(_predicted(_service(spec), _LLAMA), "--api-backend") == backend


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://chat.shop.svc.cluster.local:8080", "http://chat.shop.svc.cluster.local:8080"),
        ("HTTPS://user:word@chat.shop/v1?x#y", "https://chat.shop"),
        ("//chat.shop/v1", "http://chat.shop"),
    ],
)
def test_the_address_is_the_scheme_and_the_host_of_the_status(url: str, base: str) -> None:
    assert _argument(_predicted(_service(status={**_READY, "url": url}), _LLAMA), "--api-base") == base


def test_a_model_of_the_namespace_comes_before_that_of_the_cluster() -> None:
    of_cluster = _object("ClusterBaseModel", "llama", {"storage": {"storageUri": "hf://a/b", "path": "/c"}})
    of_cluster["metadata"] = {"name": "llama"}
    assert _argument(_predicted(_service(), of_cluster), "--model-tokenizer") == "/c"
    assert (
        _argument(_predicted(_service({"model": {"name": "llama", "kind": "ClusterBaseModel"}}), of_cluster, _LLAMA), "--model-tokenizer")
        == "/m"
    )


def test_an_empty_path_is_a_path_to_ome_and_refused_by_the_api_server() -> None:
    found = _predicted(_service(), _object("BaseModel", "llama", {"storage": {"storageUri": "hf://a/b", "path": ""}}))
    assert found.weight is Severity.ERROR
    assert "mountPath: Required value" in found.failure


def test_a_model_with_a_dot_in_its_name_names_no_volume() -> None:
    dotted = _object("BaseModel", "llama-3.1", _MODEL)
    found = _predicted(_service({"model": {"name": "llama-3.1"}}), dotted)
    assert 'spec.template.spec.volumes[0].name: Invalid value: "llama-3.1": must not contain dots' in found.failure


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        *((image, "Always") for image in ("bench", "reg:5000/a/bench", "bench:latest", "reg/bench:latest@sha256:00")),
        *((image, "IfNotPresent") for image in ("bench:1", "reg:5000/bench:1", "bench@sha256:00", "bench:1@sha256:00")),
    ],
)
def test_an_image_of_the_latest_tag_is_always_pulled(image: str, policy: str) -> None:
    assert _container(_predicted(_service(), _LLAMA, job=_job(podOverride={"image": image})))["imagePullPolicy"] == policy


@pytest.mark.parametrize(
    ("override", "field", "expected"),
    [
        ({}, "name", "genai-bench"),
        (None, "name", "bench"),
        ({"envFrom": [{"secretRef": {"name": "s"}}]}, "envFrom", [{"secretRef": {"name": "s"}}]),
        (
            {"env": [{"name": "MODEL_PATH", "value": "/own"}]},
            "env",
            [{"name": "ENABLE_UI", "value": "false"}, {"name": "MODEL_PATH", "value": "/own"}],
        ),
        (
            {"resources": {"requests": {"cpu": 1, "memory": "0.5Gi"}, "limits": {"nvidia.com/gpu": "1"}}},
            "resources",
            {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"cpu": "2", "memory": "2Gi", "nvidia.com/gpu": "1"}},
        ),
        (
            {"volumeMounts": [{"name": "own", "mountPath": "/m"}], "volumes": [{"name": "own", "emptyDir": {}}]},
            "volumeMounts",
            [{"name": "own", "mountPath": "/m", "readOnly": True}],
        ),
    ],
)
def test_an_override_is_merged_over_the_container(override: JSONObject | None, field: str, expected: Any) -> None:
    job = _job() if override is None else _job(podOverride=override)
    assert _container(_predicted(_service(), _LLAMA, job=job))[field] == expected


def test_levels_of_concurrency_are_arguments_each() -> None:
    arguments = _container(_predicted(_service(), _LLAMA, job=_job(numConcurrency=[1, 64], resultFolderName="")))["args"]
    assert arguments[arguments.index("--num-concurrency") :][:6] == [
        *("--num-concurrency", "1"),
        *("--num-concurrency", "64"),
        "--experiment-folder-name",
        "",
    ]


@pytest.mark.parametrize("state", ["Running", "Completed", "Failed"])
def test_a_changed_job_that_has_begun_is_left_as_it_is(state: str) -> None:
    old = _job() | {"metadata": {"name": "bench", "namespace": "shop", **_STORED}, "status": {"state": state}}
    found = _predicted(_service(), _LLAMA, job=_job(numConcurrency=[9]), old=old)
    assert (found.status, found.objects, found.failure) == ({"state": state}, (), "")


def test_a_changed_job_that_has_not_begun_is_made_as_it_is_then() -> None:
    old = _job() | {"metadata": {"name": "bench", "namespace": "shop", **_STORED}, "status": {"state": "Pending"}}
    assert _argument(_predicted(_service(), _LLAMA, job=_job(numConcurrency=[9]), old=old), "--num-concurrency") == "9"


@pytest.mark.parametrize(("state", "is_made"), [("Running", True), ("Completed", False), ("Failed", False)])
def test_a_stored_job_that_is_over_makes_no_pods(state: str, *, is_made: bool) -> None:
    stored = _job() | {"metadata": {"name": "bench", "namespace": "shop", **_STORED}, "status": {"state": state}}
    assert bool(_predicted(_service(), _LLAMA, job=stored).objects) is is_made


def test_a_status_that_a_manifest_brings_means_nothing() -> None:
    assert _predicted(_service(), _LLAMA, job=_job() | {"status": {"state": "Completed"}}).objects
