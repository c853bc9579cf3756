"""Replays recorded cases: each service in the last state of the cluster, without the objects that were created for the service."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.aim.test_recorded_admission import DEFINITIONS, answer, definition_of
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.aim.predictions.service import predict
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request

#: Kinds of which a recorded cluster had only the objects of its case.
KINDS = (
    "AIMModel",
    "AIMClusterModel",
    "AIMServiceTemplate",
    "AIMClusterServiceTemplate",
    "AIMRuntimeConfig",
    "AIMClusterRuntimeConfig",
)


#: Kinds of which only the case's own objects existed before the service.
CACHES = ("AIMTemplateCache", "AIMArtifact", "AIMModelCache")


@dataclass(frozen=True)
class Replayed:
    """One service of a case: its prediction, and the recorded objects by ``Kind/namespace/name``."""

    record: JSONObject
    service: JSONObject
    effective: Prediction
    outcome: JSONObject

    @property
    def status(self) -> JSONObject:
        """The recorded status."""
        key = f"AIMService/{namespace_of(self.service)}/{name_of(self.service)}"
        return self.outcome.get(key, {}).get("status") or {}

    def made(self, kind: str) -> list[JSONObject]:
        """The recorded objects of a kind."""
        return [found for key, found in self.outcome.items() if key.startswith(f"{kind}/")]

    def predicted(self, kind: str) -> list[JSONObject]:
        """The predicted objects of a kind."""
        return [obj for obj in self.effective.objects if obj["kind"] == kind]


def replay(record: dict[str, Any]) -> Iterator[Replayed]:
    """The services of a case that the server stored."""
    facts, stored = facts_of(record)
    for service in (obj for obj in stored if obj["kind"] == "AIMService"):
        gvk = GroupVersionKind.from_object(service)
        assert gvk is not None
        request = Request("1", Operation.CREATE, gvk, service, namespace=namespace_of(service), name=name_of(service))
        effective = predict(request, facts, DEFAULT)
        if effective is not None:
            yield Replayed(record, service, effective, record["outcome"])


def facts_of(record: dict[str, Any]) -> tuple[Facts, list[JSONObject]]:
    """The cluster's last state in a case, and the case's own objects as the server stored them."""
    group = "aim.silogen.ai" if record["id"].startswith("k") else "aim.eai.amd.com"
    changed = [_patched(obj, record) for obj in record["objects"] if definition_of(obj) is not None]
    stored = [kept for obj in changed if (kept := answer(obj)[0]) is not None]
    return _facts(group, stored, record["outcome"], record["nodes"]["list"]), stored


def _patched(obj: JSONObject, record: dict[str, Any]) -> JSONObject:
    """An object with the patches that the server accepted."""
    refused = {entry["patchOf"] for entry in record.get("refused") or () if "patchOf" in entry}
    out = copy.deepcopy(obj)
    for patch in (patch for step in record.get("steps", ()) for patch in step.get("patch", ())):
        place = patch["kind"], patch.get("namespace", ""), patch["name"]
        if place == (obj["kind"], namespace_of(obj), name_of(obj)) and f"{patch['kind']}/{patch['name']}" not in refused:
            _merge(out, patch["body"])
    return out


def _merge(into: JSONObject, patch: JSONObject) -> None:
    """A merge patch, as of RFC 7386."""
    for key, value in patch.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict):
            into[key] = into[key] if isinstance(into.get(key), dict) else {}
            _merge(into[key], value)
        else:
            into[key] = value


def _facts(group: str, stored: list[JSONObject], outcome: JSONObject, nodes: list[JSONObject]) -> Facts:
    """The cluster: the stored objects with their last statuses, the operator's objects, and the nodes."""
    held = [_with_status(obj, outcome.get(_key(obj), {})) for obj in stored if obj["kind"] in (*KINDS, *CACHES)]
    there = {_key(obj) for obj in held}
    for key, found in outcome.items():
        kind, *place = key.split("/")
        if kind in KINDS and key not in there and not _is_of_service(found, group):
            namespace = place[0] if len(place) == 2 else ""
            metadata = {"name": place[-1], "labels": found.get("labels") or {}} | ({"namespace": namespace} if namespace else {})
            obj = {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": metadata, "spec": found.get("spec") or {}}
            held.append(_with_status(obj, found))
    for node in nodes:
        metadata = {"name": node["name"], "labels": node.get("labels") or {}}
        held.append({"apiVersion": "v1", "kind": "Node", "metadata": metadata, "status": {"allocatable": node.get("allocatable") or {}}})
    facts = from_objects(held, DEFINITIONS)
    facts.objects.complete(besides=[(group, kind) for kind in (*KINDS, *CACHES)])
    return facts


def _key(obj: JSONObject) -> str:
    return "/".join(filter(None, (obj["kind"], namespace_of(obj), name_of(obj))))


def _is_of_service(found: JSONObject, group: str) -> bool:
    """Whether the operator created an object for the service, so that it didn't exist before."""
    labels = found.get("labels") or {}
    return labels.get(f"{group}/origin") == "derived" or labels.get(f"{group}/derived-template") == "true"


def _with_status(obj: JSONObject, found: JSONObject) -> JSONObject:
    out = copy.deepcopy(obj)
    out["metadata"] = {**out["metadata"], "uid": _key(obj), "creationTimestamp": "2026-01-01T00:00:00Z"}
    if found.get("status"):
        out["status"] = found["status"]
    return out
