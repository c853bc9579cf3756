"""Admission reviews as kube-apiserver sends them."""

from __future__ import annotations

import json
from collections.abc import Callable

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase

UID = "5f1c1d3e-0000-4000-8000-000000000001"
API_VERSION = "inference.llmkube.dev/v1alpha1"


def model(name: str | None = "llama", **spec: JSONValue) -> JSONObject:
    """A Model of LLMKube; without a name it has a generateName."""
    metadata = {"generateName": "llama-", "namespace": "team-a"} if name is None else {"name": name, "namespace": "team-a"}
    return {
        "apiVersion": API_VERSION,
        "kind": "Model",
        "metadata": metadata,
        "spec": {"source": "https://models.example/llama.gguf"} | spec,
    }


def request(obj: JSONValue = None, **changes: JSONValue) -> JSONObject:
    """The request of a review, a CREATE unless changed."""
    obj = model() if obj is None else obj
    group, _, version = API_VERSION.partition("/")
    return {
        "uid": UID,
        "kind": {"group": group, "version": version, "kind": "Model"},
        "resource": {"group": group, "version": version, "resource": "models"},
        "requestKind": {"group": group, "version": version, "kind": "Model"},
        "requestResource": {"group": group, "version": version, "resource": "models"},
        "name": "llama",
        "namespace": "team-a",
        "operation": "CREATE",
        "userInfo": {"username": "anna", "groups": ["system:authenticated"]},
        "object": obj,
        "oldObject": None,
        "dryRun": False,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1", "fieldManager": "kubectl", "fieldValidation": "Strict"},
    } | changes


def review(obj: JSONValue = None, **changes: JSONValue) -> bytes:
    """A review as the webhook receives it."""
    return envelope(request(obj, **changes))


def envelope(inner: JSONValue) -> bytes:
    """A review with the given value as its request."""
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": inner}).encode()


class Judge:
    """Replaces the engine: answers with a decision or fails, and keeps the requests that it was given."""

    def __init__(self, decision: Decision | Exception | None = None) -> None:
        self.decision = Decision(allowed=True, code=201) if decision is None else decision
        self.seen: list[Request] = []
        self.phases: list[Phase] = []
        self.was_expired: list[bool] = []

    def __call__(
        self,
        request: Request,
        facts: Facts,
        config: Configuration,
        phase: Phase = Phase.WHOLE,
        *,
        expired: Callable[[], bool] = lambda: False,
    ) -> Decision:
        self.seen.append(request)
        self.phases.append(phase)
        self.was_expired.append(expired())
        if isinstance(self.decision, Exception):
            raise self.decision
        return self.decision
