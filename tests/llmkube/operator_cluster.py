"""Replays a recorded cluster: the objects that its API server and LLMKube's webhooks accept, and the objects that are predicted.

Objects are added one by one, as they were recorded, and are stored with the changes of the schema and the webhooks. The predictions are
made when all of them are there, like the operator's last reconcile.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tests.llmkube.replay import GROUP, QUOTA_WEBHOOK, RECORDS, ROUTER_WEBHOOK, configuration
from tests.llmkube.upstream_model_webhook import MODEL_WEBHOOK, defaulted_model, model_refusal
from weighbridge.policies.apiserver.admission import Refusal, decode, validate
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Inventory, Node, ObjectStore
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_of
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.families.llmkube.upstream import quota_webhook, router_webhook
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

#: Kinds of which the recorded clusters had only the objects of a case.
KNOWN = (
    *((GROUP, kind) for kind in ("Model", "InferenceService", "GPUQuota", "LoRAAdapter", "ModelPool", "ModelRouter")),
    *(("", kind) for kind in ("Namespace", "Secret", "PersistentVolumeClaim", "Service")),
    *(("resource.k8s.io", kind) for kind in ("ResourceClaim", "ResourceClaimTemplate")),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
)
PREDICTIONS = {kind: FAMILY.predict[kind] for kind in ("Model", "InferenceService")}


@dataclass(slots=True)
class Answer:
    """The outcome for one object: stored, or refused with a message by the API server or a webhook."""

    message: str = ""
    stored: JSONObject | None = None


@dataclass(slots=True)
class Played:
    """A replayed case: the answer to each of its objects, the prediction for each stored Model and InferenceService, and the predicted
    failures of GPUQuotas.
    """

    answers: list[Answer] = field(default_factory=list)
    predictions: dict[str, Prediction] = field(default_factory=dict)
    quota_failures: list[str] = field(default_factory=list)


@cache
def _nodes() -> dict[str, dict[str, JSONObject]]:
    """The nodes of each recorded cluster, by name."""
    with gzip.open(RECORDS, "rt") as lines:
        clusters = [record for record in map(json.loads, lines) if "objects" not in record]
    return {found["id"].rpartition("/")[0]: {name_of(node): {"apiVersion": "v1", **node} for node in found["nodes"]} for found in clusters}


@cache
def _definitions(version: str) -> Definitions:
    return bundled_definitions(Configuration(families={LLMKube: LLMKube(version=version)}))


def cluster(record: dict[str, Any], config: Configuration) -> Facts:
    """The recorded cluster before the first object of a case."""
    nodes = next(held for prefix, held in _nodes().items() if record["id"].startswith(f"{prefix}/"))
    facts = Facts(
        _definitions(config.settings_of(LLMKube).version or ""),
        ObjectStore(),
        Inventory([Node.from_object(nodes[name]) for name in record["nodes"]]),
    )
    for namespace in sorted({namespace_of(obj) for obj in record["objects"]} - {""}):
        facts.objects.put({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    facts.objects.complete(besides=KNOWN)
    return facts


def play(record: dict[str, Any]) -> Played:
    """Replay a case."""
    config = configuration(record)
    facts, played = cluster(record, config), Played()
    operator = operator_of(facts, config)
    for index, obj in enumerate(record["objects"]):
        answer = admit(record, obj, facts, config, operator)
        played.answers.append(answer)
        if answer.stored is not None:
            written = {"uid": f"00000000-0000-0000-0000-{index:012}", "creationTimestamp": f"2026-01-01T00:00:{index:02}Z"}
            facts.objects.put({**answer.stored, "metadata": {**answer.stored["metadata"], **written}})
    for kind, prediction in PREDICTIONS.items():
        for obj in list(facts.objects.list(GROUP, kind)):
            found = prediction(_request(obj), facts, config)
            assert found is not None
            played.predictions[f"{kind}/{namespace_of(obj)}/{name_of(obj)}"] = found
    for quota in facts.objects.list(GROUP, "GPUQuota"):
        predicted = FAMILY.predict["GPUQuota"](_request(quota), facts, config)
        assert predicted is not None
        played.quota_failures.append(predicted.failure)
    return played


def _request(obj: JSONObject, field_validation: FieldValidation = FieldValidation.WARN) -> Request:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return Request("1", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj), field_validation=field_validation)


def admit(record: dict[str, Any], obj: JSONObject, facts: Facts, config: Configuration, operator: KnownOperator) -> Answer:
    """The API server's answer to one object, including LLMKube's webhooks."""
    request = _request(obj, FieldValidation.STRICT if record["id"].endswith("strict-typo") else FieldValidation.WARN)
    definition = facts.definitions.get(replace(request.gvk, version="v1alpha1"))
    if definition is None or not request.gvk.group.endswith("llmkube.dev"):
        return Answer(stored=obj)
    decoded = decode(request, definition)
    if decoded.refusal is not None or not isinstance(decoded.object, dict):
        return Answer(decoded.refusal.message if decoded.refusal is not None else "nothing was decoded")
    given = decoded.object
    if request.gvk.kind == "Model" and MODEL_WEBHOOK in record["operator"]["webhooks"]:
        unreadable = model_refusal(given)
        if unreadable is not None:
            return Answer(unreadable.message)
        given = defaulted_model(given)
    validated = validate(request, given, definition)
    if validated.refusal is not None or not isinstance(validated.object, dict):
        return Answer(validated.refusal.message if validated.refusal is not None else "nothing was validated")
    for webhook, refusal in _webhooks(record, validated.object, request, facts, config, operator):
        if refusal is not None:
            return Answer(f'admission webhook "{webhook}" denied the request: {refusal.message}')
    return Answer(stored=validated.object)


def _webhooks(
    record: dict[str, Any], obj: JSONObject, request: Request, facts: Facts, config: Configuration, operator: KnownOperator
) -> Iterator[tuple[str, Refusal | None]]:
    """The answer of LLMKube's validating webhooks to an object."""
    if request.gvk.kind == "InferenceService" and QUOTA_WEBHOOK in record["operator"]["webhooks"]:
        yield QUOTA_WEBHOOK, quota_webhook.refusal(obj, request.namespace, facts, operator, config)
    if request.gvk.kind == "ModelRouter" and ROUTER_WEBHOOK in record["operator"]["webhooks"]:
        yield ROUTER_WEBHOOK, router_webhook.refusal(obj)
