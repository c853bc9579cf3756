"""The API server's errors on the fields that restrict a pod's nodes: its node selector, required affinity, gates and tolerations."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.scheduling import scheduling_errors
from weighbridge.policies.schema.names import label_value, qualified_name

QUALIFIED = qualified_name("a b")[0]
VALUE = label_value("a b")[0]
NO_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
NO_EXECUTE = "effect must be 'NoExecute' when `tolerationSeconds` is set"
EMPTY = "name part must be non-empty"


REQUIRED, PREFERRED = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"


def of_spec(**spec: JSONValue) -> list[str]:
    """The errors on the fields that restrict a pod's nodes."""
    return [str(error).removeprefix("spec.") for error in scheduling_errors(spec)]


def of_toleration(toleration: JSONObject) -> list[str]:
    """The errors on the second toleration of a pod."""
    return [error.removeprefix("tolerations[1].") for error in of_spec(tolerations=[{"operator": "Exists"}, toleration])]


@pytest.mark.parametrize(
    ("spec", "errors"),
    [
        ({}, []),
        ({"nodeSelector": {"a": "b", "c": ""}}, []),
        (
            {"nodeSelector": {"a": "b", "c d": "e f"}},
            [f'nodeSelector: Invalid value: "c d": {QUALIFIED}', f'nodeSelector: Invalid value: "e f": {VALUE}'],
        ),
        ({"schedulingGates": [{"name": "a"}, {"name": "b"}]}, []),
        (
            {"schedulingGates": [{"name": "a"}, {"name": "a"}, {"name": "a b"}]},
            ['schedulingGates[1]: Duplicate value: "a"', f'schedulingGates[2]: Invalid value: "a b": {QUALIFIED}'],
        ),
        (
            {"schedulingGates": [{}]},
            [f'schedulingGates[0]: Invalid value: "": {EMPTY}', f'schedulingGates[0]: Invalid value: "": {QUALIFIED}'],
        ),
        (
            {"schedulingGates": [{"name": "a"}], "nodeName": "n"},
            ["nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"],
        ),
        ({"nodeName": "n"}, []),
        ({"schedulingGates": [], "nodeName": "n"}, []),
    ],
)
def test_a_pod_goes_where_it_can(spec: JSONObject, errors: list[str]) -> None:
    assert of_spec(**spec) == errors


@pytest.mark.parametrize(
    ("toleration", "errors"),
    [
        ({"key": "k", "operator": "Exists"}, []),
        ({"key": "k"}, []),
        ({"key": "k", "operator": "Equal", "value": "v"}, []),
        ({"operator": "Exists", "effect": "NoSchedule"}, []),
        ({"key": "k", "value": "v", "effect": "PreferNoSchedule"}, []),
        ({"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}, []),
        ({"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": -1}, []),
        ({}, [f'operator: Invalid value: "": {NO_KEY}']),
        ({"operator": "Equal", "value": "v"}, [f'operator: Invalid value: "Equal": {NO_KEY}']),
        ({"key": "a b", "operator": "Exists"}, [f'key: Invalid value: "a b": {QUALIFIED}']),
        ({"key": "k", "operator": "Exists", "tolerationSeconds": 0}, [f'effect: Invalid value: "": {NO_EXECUTE}']),
        (
            {"key": "k", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 0},
            [f'effect: Invalid value: "NoSchedule": {NO_EXECUTE}'],
        ),
        ({"key": "k", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": None}, []),
        ({"key": "k", "value": "a b"}, [f'operator: Invalid value: "a b": {VALUE}']),
        (
            {"key": "k", "operator": "Exists", "value": "v"},
            ["operator: Invalid value: \"v\": value must be empty when `operator` is 'Exists'"],
        ),
        ({"key": "k", "operator": "Exists", "value": ""}, []),
        (
            {"key": "k", "operator": "Gt", "value": "1"},
            ['operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"'],
        ),
        (
            {"key": "k", "operator": "Lt", "value": "1"},
            ['operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"'],
        ),
        ({"key": "k", "operator": "exists"}, ['operator: Unsupported value: "exists": supported values: "Equal", "Exists"']),
        (
            {"key": "k", "operator": "Exists", "effect": "x"},
            ['effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"'],
        ),
        (
            {"operator": "Is", "effect": "x", "tolerationSeconds": 1},
            [
                f'operator: Invalid value: "Is": {NO_KEY}',
                f'effect: Invalid value: "x": {NO_EXECUTE}',
                'operator: Unsupported value: "Is": supported values: "Equal", "Exists"',
                'effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
            ],
        ),
    ],
)
def test_a_toleration_has_a_key_an_operator_and_an_effect(toleration: JSONObject, errors: list[str]) -> None:
    assert of_toleration(toleration) == errors


@pytest.mark.parametrize(
    ("affinity", "errors"),
    [
        ({}, []),
        ({REQUIRED: None}, []),
        ({REQUIRED: {}}, ["nodeSelectorTerms: Required value: must have at least one node selector term"]),
        ({REQUIRED: {"nodeSelectorTerms": []}}, ["nodeSelectorTerms: Required value: must have at least one node selector term"]),
        ({REQUIRED: {"nodeSelectorTerms": [{}, {"matchFields": []}]}}, []),
        (
            {REQUIRED: {"nodeSelectorTerms": [{}, {"matchExpressions": [{"key": "a b", "operator": "Exists"}]}]}},
            [f'nodeSelectorTerms[1].matchExpressions[0].key: Invalid value: "a b": {QUALIFIED}'],
        ),
        (
            {PREFERRED: [{"weight": 0, "preference": {}}]},
            [f"affinity.nodeAffinity.{PREFERRED}[0].weight: Invalid value: 0: must be in the range 1-100"],
        ),
    ],
)
def test_a_pod_that_requires_something_of_its_node_says_what(affinity: JSONObject, errors: list[str]) -> None:
    found = of_spec(affinity={"nodeAffinity": affinity})
    assert [error.removeprefix(f"affinity.nodeAffinity.{REQUIRED}.") for error in found] == errors


def test_the_value_of_a_toleration_is_refused_with_all_that_is_wrong_with_it() -> None:
    value = "é" * 32
    assert of_toleration({"key": "k", "value": value}) == [
        f'operator: Invalid value: "{value}": must be no more than 63 bytes;{VALUE}',
    ]


def test_what_is_wrong_is_told_in_the_servers_order() -> None:
    bad = {"key": "a b", "operator": "Is"}
    fields = ["nodeSelector", "schedulingGates[0]", "tolerations[0].key", "tolerations[0].operator"]
    spec = {"tolerations": [bad], "schedulingGates": [{"name": "a b"}], "nodeSelector": {"a b": ""}, "nodeName": "n"}
    assert [error.split(":")[0] for error in of_spec(**spec)] == [*fields, "nodeName"]
