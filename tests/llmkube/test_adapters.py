"""The prediction for a LoRAAdapter, by what is known of its service."""

from __future__ import annotations

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.llmkube.predictions.lora import lora
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

_GROUP = "inference.llmkube.dev/v1alpha1"
_NODE: JSONObject = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}


def _service(name: str) -> JSONObject:
    return {
        "apiVersion": _GROUP,
        "kind": "InferenceService",
        "metadata": {"name": name, "namespace": "serving"},
        "spec": {"modelRef": "m", "runtime": "sglang"},
    }


def _told(*cluster: JSONObject) -> Prediction:
    adapter: JSONObject = {
        "apiVersion": _GROUP,
        "kind": "LoRAAdapter",
        "metadata": {"name": "a", "namespace": "serving"},
        "spec": {"inferenceServiceRef": {"name": "chat"}, "name": "medical", "path": "/adapters/medical"},
    }
    gvk = GroupVersionKind.from_object(adapter)
    assert gvk is not None
    facts = from_objects([_NODE, *cluster], bundled_definitions())
    found = lora(Request("1", Operation.CREATE, gvk, adapter, namespace="serving", name="a"), facts, DEFAULT)
    assert found is not None
    return found


def test_a_service_that_is_not_known_leaves_it_open() -> None:
    told = _told()
    assert [unchecked.reason for unchecked in told.unchecked] == ["InferenceService serving/chat isn't known here"]
    assert (told.failure, told.status) == ("", {})


def test_a_service_that_is_not_there_is_waited_for() -> None:
    assert _told(_service("other")).failure == 'InferenceService.inference.llmkube.dev "chat" not found'


def test_a_service_of_the_right_engine_is_enough() -> None:
    told = _told(_service("chat"))
    assert told.failure == ""
    assert told.status["conditions"][0]["reason"] == "ReconcileSuccess"
