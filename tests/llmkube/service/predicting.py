"""Predictions for services in tests: a Model and a service by their specs, with an operator and other objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.settings import LLMKube, Operator
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

GROUP = "inference.llmkube.dev"
NAMESPACE = "team-a"
SOURCE = "https://models.example.com/m.gguf"
#: Kinds whose objects are all known.
KNOWN = ((GROUP, "Model"), (GROUP, "InferenceService"), ("", "PersistentVolumeClaim"), ("", "Service"))


def stored(kind: str, name: str, spec: JSONObject, *, minute: int = 0) -> JSONObject:
    """An object of the group that was stored at a minute of the day."""
    metadata = {"name": name, "namespace": NAMESPACE, "uid": f"{kind}-{name}", "creationTimestamp": f"2026-01-01T00:{minute:02}:00Z"}
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def a_model(name: str = "m", *, minute: int = 0, **spec: Any) -> JSONObject:
    """A stored Model; by default one that is fetched by URL."""
    return stored("Model", name, {"source": SOURCE, **spec}, minute=minute)


def a_service(name: str = "svc", *, minute: int = 1, **spec: Any) -> JSONObject:
    """A stored InferenceService of Model m."""
    return stored("InferenceService", name, {"modelRef": "m", **spec}, minute=minute)


def predict(
    service: JSONObject,
    *cluster: JSONObject,
    version: str = "v0.9.19",
    operator: Operator | None = None,
    known: Sequence[tuple[str, str]] = KNOWN,
) -> Prediction:
    """The prediction for a service, with these objects in the cluster."""
    config = Configuration(families={LLMKube: LLMKube(version=version, operator=operator or Operator())})
    facts = Facts(bundled_definitions(config), ObjectStore([*cluster, service]))
    facts.objects.complete(besides=known, but=[kind for kind in KNOWN if kind not in known])
    gvk = GroupVersionKind(GROUP, "v1alpha1", "InferenceService")
    found = FAMILY.predict["InferenceService"](Request("1", Operation.CREATE, gvk, service, namespace=NAMESPACE, name="svc"), facts, config)
    assert found is not None
    return found


def made(found: Prediction, kind: str) -> JSONObject:
    """The only created object of a kind."""
    (obj,) = (obj for obj in found.objects if obj["kind"] == kind)
    return obj


def pod(found: Prediction) -> JSONObject:
    """The spec of the created pods."""
    spec: JSONObject = made(found, "Deployment")["spec"]["template"]["spec"]
    return spec


def value(found: Prediction, field: str) -> PredictedValue:
    """The only value of a field, by the end of its path."""
    (told,) = (told for told in found.values if told.field.endswith(field))
    return told


def condition(found: Prediction, kind: str) -> tuple[str, str, str] | None:
    """Status, reason and message of a condition."""
    held = [entry for entry in found.status.get("conditions", []) if entry["type"] == kind]
    return (held[0]["status"], held[0]["reason"], held[0]["message"]) if held else None
