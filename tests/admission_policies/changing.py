"""Short helpers for mutating policies, their bindings, and their effect on a box."""

from __future__ import annotations

from typing import Any

from tests.admission_policies.situations import API, CRD, EVERYTHING, box, known, request
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import ServerRelease
from weighbridge.policies.verdict.engine import Phase, decide

WRITES = {**EVERYTHING, "operations": ["CREATE", "UPDATE"]}


def policy(*expressions: str, name: str = "p", **spec: Any) -> JSONObject:
    """A mutating policy; an expression that begins with a bracket is a JSON patch."""
    mutations = [
        {"patchType": "JSONPatch", "jsonPatch": {"expression": text}}
        if text.startswith("[")
        else {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": text}}
        for text in expressions
    ]
    found = {"matchConstraints": {"resourceRules": [WRITES]}, "reinvocationPolicy": "Never", "mutations": mutations, **spec}
    return {"apiVersion": API, "kind": "MutatingAdmissionPolicy", "metadata": {"name": name}, "spec": found}


def binding(name: str = "b", to: str = "p", **spec: Any) -> JSONObject:
    return {"apiVersion": API, "kind": "MutatingAdmissionPolicyBinding", "metadata": {"name": name}, "spec": {"policyName": to, **spec}}


def decided(facts: Facts, obj: JSONObject | None = None, *, phase: Phase = Phase.APISERVER, **more: Any) -> Decision:
    return decide(request(box() if obj is None else obj, **more), facts, DEFAULT, phase)


def by(*objects: JSONObject, obj: JSONObject | None = None, **more: Any) -> Decision:
    return decided(known(*objects), obj, **more)


def spec_of(decision: Decision) -> Any:
    assert decision.allowed, decision.message
    return decision.object["spec"]


def by_release(server: ServerRelease, *objects: JSONObject, crd: JSONObject = CRD, obj: JSONObject | None = None) -> Decision:
    """The behaviour of a server of another release."""
    return decided(from_objects([*objects, crd], Definitions.from_manifests([crd], server=server)), obj)
