"""A value that is filled into a service follows its cause, stays the same when nothing changes, and never replaces an author's value."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.doors.cases import CASES
from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, lookup
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

_MODEL = """
apiVersion: ome.io/v1beta1
kind: {kind}
metadata: {{name: llama, namespace: serving, uid: model}}
spec:
  modelFormat: {{name: safetensors}}
  modelFramework: {{name: transformers}}
  storage: {{storageUri: "hf://acme/llama", path: /models/llama}}
"""
_RUNTIME = """
apiVersion: ome.io/v1beta1
kind: ClusterServingRuntime
metadata: {name: srt, uid: runtime}
spec:
  supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
  engineConfig:
    tolerations: [{key: nvidia.com/gpu, operator: Exists}]
    runner: {name: ome-container, image: "sglang:1", resources: {limits: {nvidia.com/gpu: "1"}}}
"""
_NODE = """
apiVersion: v1
kind: Node
metadata: {name: gpu-1, uid: node}
spec: {taints: [{key: accelerator, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 64Gi, pods: "110", nvidia.com/gpu: "8"}}
"""
_SERVICE = """
apiVersion: ome.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: serving}
spec: {model: {name: llama}, engine: {runner: {args: [--x]}}}
"""
_OF_RUNTIME = {"key": "nvidia.com/gpu", "operator": "Exists"}
_OF_NODE = {"key": "accelerator", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}


def cluster(*kinds: str, name: str = "ome-container", tainted: bool = True) -> Facts:
    """A cluster with the model as these kinds, a runtime whose runner has this name, and a node with or without a taint."""
    objects = [read(_MODEL.format(kind=kind)) for kind in kinds]
    for found in objects:
        if found["kind"] == "ClusterBaseModel":
            del found["metadata"]["namespace"]
    node = read(_NODE)
    if not tainted:
        node["spec"] = {}
    facts = from_objects([*objects, read(_RUNTIME.replace("ome-container", name)), node], bundled_definitions())
    facts.objects.complete(besides=[(GROUP, kind) for kind in ("BaseModel", "ClusterBaseModel", "ServingRuntime")])
    return facts


def stored(facts: Facts, obj: JSONObject | None = None, old: JSONObject | None = None) -> Any:
    """The service as the server then stores it."""
    service = copy.deepcopy(obj if obj is not None else read(_SERVICE))
    gvk = GroupVersionKind.from_object(service)
    assert gvk is not None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    found: Any = decide(Request("u", operation, gvk, service, old, namespace="serving", name="chat"), facts, DEFAULT).object
    return {**found, "metadata": {"uid": "1", "creationTimestamp": "2026-01-01T00:00:00Z", **found["metadata"]}}


def updated(facts: Facts, service: Any) -> Any:
    """The service after an update that changes nothing."""
    return stored(facts, service, service)


def tolerations(service: Any) -> Any:
    return lookup(service, ("spec", "engine", "tolerations"))


def kind(service: Any) -> Any:
    return lookup(service, ("spec", "model", "kind"))


def test_tolerations_repeat_the_runtime_s() -> None:
    assert tolerations(stored(cluster("ClusterBaseModel"))) == [_OF_RUNTIME, _OF_NODE]


def test_tolerations_go_with_the_taint() -> None:
    first = stored(cluster("ClusterBaseModel"))
    assert tolerations(updated(cluster("ClusterBaseModel", tainted=False), first)) is None


def test_a_name_follows_the_runtime() -> None:
    first = stored(cluster("ClusterBaseModel"))
    second = updated(cluster("ClusterBaseModel", name="server"), first)
    assert [lookup(found, ("spec", "engine", "runner", "name")) for found in (first, second)] == ["ome-container", "server"]


def test_a_kind_follows_the_model_to_the_cluster() -> None:
    first = stored(cluster("BaseModel"))
    assert (kind(first), kind(updated(cluster("ClusterBaseModel"), first))) == ("BaseModel", "ClusterBaseModel")


def test_a_kind_stays_when_the_cluster_gets_the_name_too() -> None:
    assert kind(updated(cluster("BaseModel", "ClusterBaseModel"), stored(cluster("BaseModel")))) == "BaseModel"


def test_a_kind_stays_while_there_is_no_model() -> None:
    assert kind(updated(cluster(), stored(cluster("BaseModel")))) == "BaseModel"


def test_an_update_that_changes_nothing_changes_nothing() -> None:
    facts = cluster("BaseModel")
    first = stored(facts)
    assert updated(facts, first)["spec"] == first["spec"]


_ACCEPTED = [case for case in CASES if case.id.startswith("ome/") and case.expect["allowed"] and case.object["kind"] == "InferenceService"]


@pytest.mark.parametrize("case", _ACCEPTED, ids=lambda case: case.id)
def test_a_service_that_comes_again_stays_as_it_is(case: Any) -> None:
    first = case.decision.object
    assert isinstance(first, dict)
    kept = {**first, "metadata": {"uid": "1", "creationTimestamp": "2026-01-01T00:00:00Z", **first["metadata"]}}
    asked = case.request()
    again = Request("2", Operation.UPDATE, asked.gvk, copy.deepcopy(kept), kept, namespace=asked.namespace, name=asked.name)
    found: Any = decide(again, case.facts(), case.configuration()).object
    assert found["spec"] == first["spec"]
