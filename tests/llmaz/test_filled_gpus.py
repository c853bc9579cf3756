"""The GPUs that are filled into a Playground follow the flavor and the nodes, and are removed with them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.llmaz.kinds import PLAYGROUND
from weighbridge.policies.families.llmaz.rules import llmaz_038_accelerator_beside_flavor as beside_flavor
from weighbridge.policies.ground.objects import JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

RECORDED = parse({"annotations": {"objects": True}})
LIMITS = ("spec", "backendRuntimeConfig", "resources", "limits")


def _node(name: str, labels: dict[str, str], **amounts: str) -> JSONObject:
    allocatable = {"cpu": "32", "memory": "128Gi", "pods": "110", **amounts}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": {"allocatable": allocatable}}


def _cluster(flavor: dict[str, Any], *, resource: str = "nvidia.com/gpu", runtime: dict[str, Any] | None = None) -> Facts:
    model = {
        "apiVersion": "llmaz.io/v1alpha1",
        "kind": "OpenModel",
        "metadata": {"name": "opt"},
        "spec": {"familyName": "f", "source": {"modelHub": {"modelID": "a/b"}}, "inferenceConfig": {"flavors": [{"name": "a", **flavor}]}},
    }
    configs = [{"name": "default", "args": ["{{ .ModelPath }}"], **({"resources": runtime} if runtime else {})}]
    engine = {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "BackendRuntime",
        "metadata": {"name": "vllm"},
        "spec": {"image": "i", "version": "v", "recommendedConfigs": configs},
    }
    return from_objects(
        [_node("one", {"gpu": "a"}, **{resource: "4"}), _node("two", {}, **{"amd.com/gpu": "8"}), model, engine], bundled_definitions()
    )


def _playground(**backend: Any) -> JSONObject:
    spec = {"modelClaim": {"modelName": "opt"}, **({"backendRuntimeConfig": backend} if backend else {})}
    return {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Playground",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": spec,
    }


def _applied(obj: JSONObject, facts: Facts, old: JSONObject | None = None, config: Configuration = RECORDED) -> JSONObject:
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("1", operation, PLAYGROUND, deepcopy(obj), old_object=old, namespace="default", name="p")
    decision = decide(request, facts, config)
    assert decision.allowed, decision.message
    # A stored object has the values that the server adds, a manifest doesn't.
    sent = {"manager": "kubectl-create", "operation": "Update", "fieldsV1": {"f:spec": {"f:modelClaim": {}}}}
    found: JSONObject = {**decision.object, "metadata": {**decision.object["metadata"], "uid": "7f9c", "managedFields": [sent]}}
    return found


def _limits(obj: JSONObject) -> Any:
    return obj["spec"].get("backendRuntimeConfig", {}).get("resources", {}).get("limits")


SPREAD = {"params": {"TP": "2"}, "nodeSelector": {"gpu": "a"}}


def test_applied_again_nothing_changes() -> None:
    facts = _cluster(SPREAD)
    stored = _applied(_playground(), facts)
    assert _limits(stored) == {"nvidia.com/gpu": "2"}
    assert _applied(stored, facts, stored) == stored


def test_the_amount_follows_the_flavor_and_the_name_the_nodes() -> None:
    stored = _applied(_playground(), _cluster(SPREAD))
    more = _applied(stored, _cluster({**SPREAD, "params": {"TP": "4"}}), stored)
    assert _limits(more) == {"nvidia.com/gpu": "4"}
    other = _applied(more, _cluster(SPREAD, resource="amd.com/gpu"), more)
    assert _limits(other) == {"amd.com/gpu": "2"}


def test_it_goes_when_nothing_calls_for_it() -> None:
    stored = _applied(_playground(), _cluster(SPREAD))
    assert "resources" not in _applied(stored, _cluster({"limits": {"nvidia.com/gpu": 1}}), stored)["spec"]["backendRuntimeConfig"]


def test_limits_of_the_author_stay_beside_it_and_when_it_goes() -> None:
    stored = _applied(_playground(resources={"limits": {"cpu": "4"}}), _cluster(SPREAD))
    assert _limits(stored) == {"cpu": "4", "nvidia.com/gpu": "2"}


@pytest.mark.parametrize(
    "flavor",
    [
        {"nodeSelector": {"gpu": "a"}},
        {"params": {"TP": "two"}, "nodeSelector": {"gpu": "a"}},
        {"params": {"TP": "0"}, "nodeSelector": {"gpu": "a"}},
        {"params": {"TP": "2"}},
        {"params": {"TP": "2"}, "nodeSelector": {"gpu": "a"}, "limits": {"nvidia.com/gpu": 2}},
    ],
    ids=["no count", "no number", "none", "two names", "its own"],
)
def test_nothing_is_filled_in_where_it_cannot_be_told(flavor: dict[str, Any]) -> None:
    assert _limits(_applied(_playground(), _cluster(flavor))) is None


def test_nothing_is_filled_in_where_the_runtime_asks_for_gpus() -> None:
    assert _limits(_applied(_playground(), _cluster(SPREAD, runtime={"limits": {"nvidia.com/gpu": 1}}))) is None


def test_the_configuration_may_rule_a_resource_out() -> None:
    config = parse({"fillIn": {"resourceNames": ["amd.com/*"]}})
    assert _limits(_applied(_playground(), _cluster(SPREAD), config=config)) is None


def test_a_gpu_that_the_flavor_does_not_name_is_no_news() -> None:
    request = Request(
        "1", Operation.CREATE, PLAYGROUND, _playground(resources={"limits": {"nvidia.com/gpu": "1"}}), namespace="default", name="p"
    )
    rules = {finding.rule for finding in decide(request, _cluster(SPREAD), RECORDED).findings}
    assert beside_flavor.check.id not in rules
    named = decide(request, _cluster({"limits": {"nvidia.com/gpu": 2}}), RECORDED)
    assert beside_flavor.check.id in {finding.rule for finding in named.findings}
