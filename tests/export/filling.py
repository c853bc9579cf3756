"""A configuration with fill-ins, the objects for the tests, and the stored objects: with the webhook and with exported policies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonpatch

from tests.export.parts import configuration, facts, model, request
from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.verdict.engine import Phase, decide

CONFIG_FILE = Path(__file__).parent / "fill_ins.yaml"
#: Fields that only the server writes.
_SERVERS_OWN = ("uid", "creationTimestamp", "managedFields", "generation", "resourceVersion")


def filling(**more: Any) -> Configuration:
    """The configuration with fill-ins."""
    return configuration({**read(CONFIG_FILE.read_text(encoding="utf-8")), **more})


def service(name: str, place: str = "plain", spec: JSONObject | None = None, **metadata: Any) -> JSONObject:
    """An InferenceService of LLMKube."""
    obj = model(name, place)
    spec = {"modelRef": "llama", **(spec or {})}
    return {**obj, "kind": "InferenceService", "metadata": {**obj["metadata"], **metadata}, "spec": spec}


def group(name: str, spec: JSONObject) -> JSONObject:
    """A Service of llmaz."""
    pods = {"spec": {"containers": [{"name": "model-runner", "image": "a"}]}}
    claims = {"models": [{"name": "llama"}]}
    return {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": "plain"},
        "spec": {"modelClaims": claims, "workloadTemplate": {"workerTemplate": pods, "size": 1, **spec}},
    }


def gpus(vendor: str, **gpu: Any) -> JSONObject:
    """The spec of a Model with GPUs."""
    return {"hardware": {"accelerator": "cuda", "gpu": {"vendor": vendor, **gpu}}}


def recorded(text: str, **metadata: Any) -> JSONObject:
    """Metadata with a record."""
    return {**metadata, "annotations": {KEY: text}}


_PODS = {"spec": {"containers": [{"name": "model-runner", "image": "a"}]}}
_LATER, _JINJA = {"parallelSlots": 3}, {"jinja": True}
_NOTED = json.dumps([{"field": "spec.jinja", "value": True, "source": "POLICY-001"}], separators=(",", ":"))
_OTHER = {
    "nodeSelector": {}, "extraArgs": [], "env": [], "jinja": False, "contextSize": 4096, "batchSize": 7,
    "securityContext": {"readOnlyRootFilesystem": False},
    "topologySpreadConstraints": [], "podLabels": {"in": ""}, "podAnnotations": {"a.b/c~d": "mine"}, "noWarmup": False,
    "priorityClassName": "", "cacheTypeCustomK": "a", "cacheTypeCustomV": "b", "resources": {"memory": "1Gi"},
    "vllmConfig": {"gpuMemoryUtilization": 0.9}, "sglangConfig": {"memFractionStatic": 0.9},
}  # fmt: skip
#: Each request: an object, and the object that it replaces.
FILLED: list[tuple[JSONObject, JSONObject | None]] = [
    (service("bare"), None),
    (service("longer", spec={"modelRef": "llama-longer", "resources": {"gpu": 2}, "parallelSlots": 4}), None),
    (service("written", "team-a", _OTHER, labels={"staged": "yes", "example.com/model": "own"}), None),
    (service("some", spec={"nodeSelector": {"a": "b"}, "podLabels": {"b": "c"}, "resources": {"gpu": 1, "cpu": "1"}}), None),
    (service("annotated", annotations={"example.com/note": "mine", "a": "b"}, labels={"cache": "q4"}), None),
    (service("staged", "team-a", labels={"staged": "yes"}), None),
    (service("staged", "team-b", labels={"staged": "no"}), None),
    (service("staged", "plain", labels={"staged": "yes"}), None),
    (service("large", "team-a", {"parallelSlots": 5}, labels={"staged": "yes"}), None),
    (service("nulls", spec={"resources": None, "podLabels": None, "jinja": None}), None),
    (service("odd", annotations={KEY: "no record"}), None),
    (service("had", **recorded(_NOTED)), None),
    (service("changed", spec=_LATER), service("changed")),
    (service("same", labels={"a": "b"}), service("same")),
    (service("noted", spec=_JINJA, **recorded(_NOTED, labels={"a": "b"})), service("noted", spec=_JINJA, **recorded(_NOTED))),
    (service("emptied", "team-b"), service("emptied", "team-b", {"nodeSelector": {"a": "b"}, "jinja": False})),
    (service("stays", spec={**_OTHER, "batchSize": 8}), service("stays", spec=_OTHER)),
    (model("fine"), None),
    (model("fine", "team-b"), None),
    (model("old-one"), None),
    (model("small", spec={"source": "https://huggingface.co/a-q4.gguf"}), None),
    (model("quantized", spec={"quantization": "F16"}, placed="n"), None),
    (model("nvidia", spec=gpus("nvidia", count=1)), None),
    (model("enabled", spec=gpus("nvidia", enabled=True)), None),
    (model("without", spec=gpus("nvidia")), None),
    (model("named", spec=gpus("nvidia", count=1, resourceName="nvidia.com/gpu")), None),
    (model("claims", spec=gpus("nvidia", resourceClaims=[{"name": "a", "resourceClaimName": "b"}])), None),
    (model("metal", spec={"hardware": {"accelerator": "metal", "gpu": {"count": 1}}}), None),
    (model("later", spec=gpus("nvidia", count=1)), model("later", spec=gpus("nvidia", count=0))),
    (group("alone", {}), None),
    (group("led", {"leaderTemplate": _PODS, "size": 2}), None),
    (group("chosen", {"leaderTemplate": {"spec": {**_PODS["spec"], "schedulerName": "own"}}, "size": 2}), None),
]  # fmt: skip


def by_webhook(config: Configuration, obj: JSONObject, old: JSONObject | None) -> JSONObject:
    """The stored object if the webhook fills in."""
    received = stored(obj, old)
    asked = request(received, None if old is None else stored(old))
    decision = decide(asked, facts(), config, Phase.MUTATE)
    assert decision.allowed, decision
    return stored(jsonpatch.JsonPatch(decision.patch).apply(deep_copy(received)), old)


def stored(obj: JSONObject, old: JSONObject | None = None, *policies: JSONObject) -> JSONObject:
    """The stored object without the webhook, with these policies."""
    decision = decide(request(obj, old), facts(*policies), DEFAULT, Phase.APISERVER)
    assert decision.allowed, decision
    assert not [one for one in decision.unchecked if "Policy" in one.reason], decision.unchecked
    found: JSONObject = deep_copy(decision.object)
    return found


def comparable(obj: JSONObject) -> tuple[JSONObject, list[str]]:
    """An object without the server's own values, and the entries of its record in any order."""
    found: JSONObject = deep_copy(obj)
    for key in _SERVERS_OWN:
        found["metadata"].pop(key, None)
    annotations = found["metadata"].get("annotations") or {}
    entries = json.loads(annotations.pop(KEY, "[]"))
    if not annotations:
        found["metadata"].pop("annotations", None)
    found.pop("status", None)
    return found, sorted(map(json.dumps, entries))
