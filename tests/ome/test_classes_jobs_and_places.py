"""Which class a component gets and why not the others, the whole Job of a benchmark, and the nodes to which a model is downloaded."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ome.records import DEFINITIONS, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.family import FAMILY
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import placeable, wherever_it_comes
from weighbridge.policies.families.ome.subject.accelerator_choice import ClassChoice, choose_class
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, has_node, read_class
from weighbridge.policies.families.ome.subject.model import read_model
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.ground.objects import JSONObject


def _class(name: str, **spec: Any) -> JSONObject:
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": "AcceleratorClass", "metadata": {"name": name}, "spec": spec}


def _runtime(*classes: str) -> Runtime:
    return read_runtime({"metadata": {"name": "srt"}, "spec": {"acceleratorRequirements": {"acceleratorClasses": list(classes)}}})


def _read(obj: JSONObject) -> AcceleratorClass:
    return read_class(obj)


CHEAP = _class("cheap", cost={"perHour": "1"}, capabilities={"memoryGB": "40Gi"})
DEAR = _class("dear", cost={"perHour": "2"}, capabilities={"memoryGB": "80Gi"})
BARE = _class("bare")
NONE = _class("none")
_OWN = ("spec", "engine", "acceleratorOverride")
_ALL = ("spec", "acceleratorSelector")
_LITTLE = "it has 40Gi of memory, less than minMemory 80"


@pytest.mark.parametrize(
    ("spec", "classes", "expected"),
    [
        ({"acceleratorSelector": {"acceleratorClass": "cheap"}}, [], ClassChoice("engine")),
        ({}, ["cheap"], ClassChoice("engine")),
        (
            {"acceleratorSelector": {"acceleratorClass": "cheap"}, "engine": {"acceleratorOverride": {"acceleratorClass": "dear"}}},
            ["cheap"],
            ClassChoice("engine", (*_OWN, "acceleratorClass"), "", "dear", _read(DEAR)),
        ),
        (
            {"acceleratorSelector": {"acceleratorClass": "gone", "policy": "Cheapest"}},
            ["cheap"],
            ClassChoice("engine", (*_ALL, "acceleratorClass"), "", "gone"),
        ),
        (
            {"acceleratorSelector": {"acceleratorClass": "cheap"}, "engine": {"acceleratorOverride": {"policy": "MostCapable"}}},
            ["cheap", "dear"],
            ClassChoice("engine", (*_ALL, "acceleratorClass"), "", "cheap", _read(CHEAP)),
        ),
        (
            {"acceleratorSelector": {"policy": "Cheapest"}, "engine": {"acceleratorOverride": {"policy": "MostCapable"}}},
            ["cheap", "dear", "cheap"],
            ClassChoice("engine", (*_OWN, "policy"), "MostCapable", "dear", _read(DEAR), (("cheap", "dear is the one by MostCapable"),)),
        ),
        (
            {"acceleratorSelector": {"policy": "Cheapest"}},
            ["dear", "cheap"],
            ClassChoice("engine", (*_ALL, "policy"), "Cheapest", "cheap", _read(CHEAP), (("dear", "cheap is the one by Cheapest"),)),
        ),
        (
            {"acceleratorSelector": {"policy": "Cheapest", "constraints": {"minMemory": 80}}},
            ["cheap", "dear"],
            ClassChoice("engine", (*_ALL, "policy"), "Cheapest", "dear", _read(DEAR), (("cheap", _LITTLE),)),
        ),
        (
            {"acceleratorSelector": {"policy": "BestFit", "constraints": {"minMemory": 80}}},
            ["cheap"],
            ClassChoice("engine", (*_ALL, "policy"), "BestFit", left_out=(("cheap", _LITTLE),)),
        ),
        (
            {"acceleratorSelector": {"policy": "Cheapest"}},
            ["bare", "none"],
            ClassChoice(
                "engine",
                (*_ALL, "policy"),
                "Cheapest",
                left_out=(("bare", "it has nothing that Cheapest compares"), ("none", "it has nothing that Cheapest compares")),
            ),
        ),
        (
            {"acceleratorSelector": {"policy": "Cheapest"}},
            ["cheap", "gone", "lost"],
            ClassChoice("engine", (*_ALL, "policy"), "Cheapest", missing=("gone", "lost")),
        ),
        (
            {"acceleratorSelector": {"policy": "BestFit"}},
            ["cheap", "dear"],
            ClassChoice("engine", (*_ALL, "policy"), "BestFit", panics=True),
        ),
        (
            {"acceleratorSelector": {"policy": "BestFit", "constraints": {"minMemory": 40}}},
            ["dear", "cheap"],
            ClassChoice("engine", (*_ALL, "policy"), "BestFit", "cheap", _read(CHEAP), (("dear", "cheap is the one by BestFit"),)),
        ),
        (
            {"acceleratorSelector": {"policy": "BestFit"}},
            ["dear"],
            ClassChoice("engine", (*_ALL, "policy"), "BestFit", "dear", _read(DEAR)),
        ),
    ],
)
def test_the_class_of_an_engine(spec: JSONObject, classes: list[str], expected: ClassChoice) -> None:
    facts = from_objects([CHEAP, DEAR, BARE, NONE], DEFINITIONS)
    facts.objects.complete(besides=[(GROUP, "AcceleratorClass")])
    assert choose_class({"spec": spec}, "engine", _runtime(*classes), facts) == expected


_UNKNOWN = "not all AcceleratorClasses of the cluster are known"


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({"acceleratorClass": "gone"}, ClassChoice("engine", (*_ALL, "acceleratorClass"), "", "gone", unknown=_UNKNOWN)),
        ({"policy": "Cheapest"}, ClassChoice("engine", (*_ALL, "policy"), "Cheapest", missing=("gone",), unknown=_UNKNOWN)),
    ],
)
def test_a_class_may_be_there_where_not_all_are_known(selector: JSONObject, expected: ClassChoice) -> None:
    facts = from_objects([], DEFINITIONS)
    assert choose_class({"spec": {"acceleratorSelector": selector}}, "engine", _runtime("gone"), facts) == expected


def _job(uri: str = "pvc://results/out", **spec: Any) -> JSONObject:
    endpoint = {"inferenceService": {"name": "chat", "namespace": "shop"}}
    found = {"endpoint": endpoint, "task": "text-to-text", "outputLocation": {"storageUri": uri}, **spec}
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": "BenchmarkJob", "metadata": {"name": "bench", "namespace": "shop"}, "spec": found}


_SERVICE = {
    "kind": "InferenceService",
    "metadata": {"name": "chat", "namespace": "shop"},
    "spec": {"model": {"name": "llama"}},
    "status": {"url": "http://chat.shop.example.org", "conditions": [{"type": "Ready", "status": "True"}]},
}
_MODEL = {"kind": "BaseModel", "metadata": {"name": "llama", "namespace": "shop"}, "spec": {"storage": {"path": "/m"}}}
_CLAIM = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "results", "namespace": "shop"}, "spec": {}}


def _resolved(job: JSONObject, *held: JSONObject) -> Any:
    objects = [{"apiVersion": f"{GROUP}/v1beta1", **obj} for obj in (_SERVICE, _MODEL)]
    facts = from_objects([*objects, *held], DEFINITIONS)
    kinds = ("InferenceService", "BaseModel", "ClusterBaseModel")
    facts.objects.complete(besides=[*((GROUP, kind) for kind in kinds), ("", "PersistentVolumeClaim")])
    return FAMILY.predict["BenchmarkJob"](request_for(job), facts, DEFAULT)


def test_a_job_has_its_claim_or_isn_t_made() -> None:
    assert _resolved(_job()).failure == 'namespace "shop" has no PersistentVolumeClaim "results"'
    assert _resolved(_job(), _CLAIM).failure == ""


_OVERRIDE: JSONObject = {
    "image": "own:1",
    "env": [{"name": "A", "value": "1"}],
    "resources": {"limits": {"cpu": "4"}},
    "nodeSelector": {"disk": "fast"},
    "affinity": {"podAffinity": {}},
    "tolerations": [{"key": "own"}],
    "volumes": [{"name": "v", "emptyDir": {}}],
    "volumeMounts": [{"name": "v", "mountPath": "/v"}],
}
_MORE: JSONObject = {
    "maxTimePerIteration": 5,
    "maxRequestsPerIteration": 7,
    "trafficScenarios": ["D(1,2)", "D(3,4)"],
    "serviceMetadata": {"engine": "vLLM", "gpuType": "H100", "version": "1", "gpuCount": 8},
}


def test_a_job_has_the_model_the_claim_and_what_overrides_its_pod() -> None:
    job = _job(podOverride=_OVERRIDE, huggingFaceSecretReference={"name": "hf"}, **_MORE)
    key = "HUGGINGFACE_API_KEY"
    args = "benchmark --api-backend openai --api-base http://chat.shop.example.org --api-model-name vllm-model"
    args += " --task text-to-text --max-time-per-run 5 --max-requests-per-run 7 --api-key sample-key --model-tokenizer /m"
    args += " --traffic-scenario D(1,2) --traffic-scenario D(3,4)"
    args += " --server-engine vLLM --server-gpu-type H100 --server-version 1 --server-gpu-count 8 --experiment-base-dir /out"
    container = {
        "name": "genai-bench",
        "image": "own:1",
        "imagePullPolicy": "IfNotPresent",
        "command": ["genai-bench"],
        "args": args.split(),
        "env": [
            {"name": "A", "value": "1"},
            {"name": "ENABLE_UI", "value": "false"},
            {"name": key, "valueFrom": {"secretKeyRef": {"name": "hf", "key": key}}},
            {"name": "MODEL_PATH", "value": "/m"},
        ],
        "resources": {"limits": {"cpu": "4", "memory": "2Gi"}, "requests": {"cpu": "2", "memory": "2Gi"}},
        "volumeMounts": [
            {"name": "v", "mountPath": "/v"},
            {"name": "llama", "mountPath": "/m", "readOnly": True},
            {"name": "benchmark-output-storage", "mountPath": "/out", "subPath": "out"},
        ],
    }
    pod = {
        "restartPolicy": "Never",
        "containers": [container],
        "tolerations": [{"key": "own"}],
        "volumes": [
            {"name": "v", "emptyDir": {}},
            {"name": "llama", "hostPath": {"path": "/m"}},
            {"name": "benchmark-output-storage", "persistentVolumeClaim": {"claimName": "results"}},
        ],
        "nodeSelector": {"models.ome.io/shop.basemodel.llama": "Ready", "disk": "fast"},
        "affinity": {"podAffinity": {}},
    }
    labels, annotations = {"benchmark": "bench"}, {"logging-forward": "true"}
    metadata = {"name": "bench", "namespace": "shop", "labels": labels, "annotations": annotations}
    template = {"metadata": metadata, "spec": pod}
    [made] = _resolved(job, _CLAIM).objects
    assert made == {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata,
        "spec": {"backoffLimit": 0, "completions": 1, "parallelism": 1, "template": template},
    }


_LABEL = "models.ome.io/clusterbasemodel.llama"


def _workloads(selector: JSONObject) -> list[JSONObject]:
    template = {"metadata": {}, "spec": {"nodeSelector": selector}}
    group = {"size": 2, "leaderTemplate": template, "workerTemplate": template}
    return [
        {"kind": "Deployment", "spec": {"replicas": 1, "template": template}},
        {"kind": "Service", "spec": {"template": template}},
        {"kind": "Service", "spec": {"ports": []}},
        {"kind": "LeaderWorkerSet", "spec": {"leaderWorkerTemplate": group}},
        {"kind": "ConfigMap"},
    ]


def _node(name: str, **labels: str) -> JSONObject:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}}


@pytest.mark.parametrize(
    ("nodes", "is_held"),
    [
        ([], False),
        ([_node("a", **{_LABEL: "Ready"}), _node("b")], True),
        ([_node("a", **{_LABEL: "Updating"}), _node("b", zone="x")], False),
        ([_node(f"n{number}", **{_LABEL: "Ready", "id": f"{number}"}) for number in range(40)], True),
        ([_node(f"n{number}", **{_LABEL: f"state-{number}"}) for number in range(300)], False),
        ([_node(f"n{number}", **{_LABEL: f"state-{number}" if number < 299 else "Ready"}) for number in range(300)], True),
    ],
)
def test_pods_wait_for_a_model_that_lies_on_a_node(nodes: list[JSONObject], is_held: bool) -> None:
    model = read_model({"kind": "ClusterBaseModel", "metadata": {"name": "llama"}, "spec": {"storage": {"nodeSelector": {"disk": "fast"}}}})
    given = _workloads({_LABEL: "Ready", "pool": "gpu"})
    facts = from_objects([*nodes, _node("other")], DEFINITIONS)
    moved = _workloads({"disk": "fast", "pool": "gpu"})
    assert list(placeable(given, model, facts)) == (given if is_held else moved)
    assert list(wherever_it_comes(given, model)) == moved
    assert list(wherever_it_comes(_workloads({_LABEL: "Split", "pool": "gpu"}), model)) == _workloads({_LABEL: "Split", "pool": "gpu"})
    assert list(placeable(given, model, from_objects([], DEFINITIONS))) == given


@pytest.mark.parametrize(
    ("selector", "is_there"),
    [({}, True), ({"gpu": "h100"}, True), ({"gpu": "a100"}, False), ({"gpu": "h100", "zone": "b"}, False), ({"host": "n1"}, True)],
)
def test_a_class_has_the_nodes_with_all_its_labels(selector: dict[str, str], is_there: bool) -> None:
    facts = from_objects([_node(f"n{number}", gpu="h100", zone="a", host=f"n{number}") for number in range(3)], DEFINITIONS)
    assert facts.inventory is not None
    assert has_node(_read(_class("a", discovery={"nodeSelector": selector})), facts.inventory) is is_there
