"""The parameters of a policy: where they come from, and what happens if there are none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.situations import binding, box, by, policy, request, unknown
from weighbridge.policies.ground.objects import JSONObject

_KIND = {"apiVersion": "v1", "kind": "ConfigMap"}
_ALL = {("", "ConfigMap"), ("example.com", "Box"), ("apiextensions.k8s.io", "CustomResourceDefinition")}


def _settings(name: str, most: str, namespace: str = "lab", **labels: str) -> JSONObject:
    return {**_KIND, "metadata": {"name": name, "namespace": namespace, "labels": labels}, "data": {"most": most}}


def _by(reference: JSONObject | None, *objects: JSONObject, kind: JSONObject = _KIND, asked: Any = None, **spec: Any) -> list[str]:
    most = {"expression": "object.spec.size <= int(params.data.most)", "messageExpression": "'at most ' + string(params.data.most)"}
    spec.setdefault("validations", [most])
    bound = binding() if reference is None else binding(paramRef={"parameterNotFoundAction": "Deny", **reference})
    return by(policy(paramKind=kind, **spec), bound, *objects, complete=_ALL, asked=asked)


def test_parameters_by_name_come_from_the_namespace_of_the_request() -> None:
    found = _settings("limits", "4"), _settings("limits", "9", "other")
    assert _by({"name": "limits"}, *found) == ["at most 4"]
    assert _by({"name": "limits", "namespace": "other"}, *found) == []


def test_a_selector_evaluates_once_for_each_object_that_it_chooses() -> None:
    found = _settings("a", "4", tier="x"), _settings("b", "3", tier="x"), _settings("c", "2"), _settings("d", "1", "other", tier="x")
    assert _by({"selector": {"matchLabels": {"tier": "x"}}}, *found) == ["at most 4", "at most 3"]
    assert _by({"selector": {}}, *found) == ["at most 4", "at most 3", "at most 2"]


def test_missing_parameters_deny_or_let_the_binding_be_passed_over() -> None:
    missing = "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"
    assert _by({"name": "limits"}) == [missing]
    assert _by({"selector": {"matchLabels": {"tier": "x"}}}, _settings("a", "1")) == [missing]
    assert _by({"name": "limits", "parameterNotFoundAction": "Allow"}) == []
    assert _by({"name": "limits"}, failurePolicy="Ignore") == []


def test_an_error_of_the_configuration_denies_though_the_binding_only_warns() -> None:
    bound = binding("Warn", paramRef={"name": "limits", "parameterNotFoundAction": "Deny"})
    assert len(by(policy("true", paramKind=_KIND), bound, complete=_ALL)) == 1


def test_without_a_reference_the_parameters_are_null() -> None:
    assert _by(None, validations=[{"expression": "params == null"}]) == []


def test_a_kind_that_the_cluster_has_not_is_an_error_of_the_policy() -> None:
    kind = {"apiVersion": "example.com/v3", "kind": "Nothing"}
    text = "failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v3, Kind=Nothing'"
    assert _by({"name": "x"}, kind=kind) == [text]


def test_parameters_of_a_namespaced_kind_need_a_namespace() -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}
    text = "failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
    assert _by({"name": "limits"}, asked=request(node)) == [text]
    of_cluster = {"apiVersion": "v1", "kind": "Namespace"}
    refused = "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`"
    assert _by({"name": "x", "namespace": "lab"}, kind=of_cluster) == [refused]


def test_custom_parameters_are_defaulted_and_read_in_the_version_of_the_policy() -> None:
    kind = {"apiVersion": "example.com/v1beta1", "kind": "Box"}
    seen = [{"expression": "params.spec.colour == 'red' && params.apiVersion == 'example.com/v1beta1'"}]
    stored = {**box({"size": 1}), "metadata": {"name": "limits", "namespace": "lab"}}
    assert _by({"name": "limits"}, stored, kind=kind, validations=seen) == []


@pytest.mark.parametrize("reference", [{"name": "limits"}, {"selector": {}}])
def test_parameters_that_may_be_in_the_cluster_are_not_guessed(reference: JSONObject) -> None:
    bound = binding(paramRef={"parameterNotFoundAction": "Deny", **reference})
    assert len(unknown(policy("true", paramKind=_KIND), bound)) == 1


def test_secrets_are_not_read() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "lab"}, "data": {"a": "eA=="}}
    bound = binding(paramRef={"name": "s", "parameterNotFoundAction": "Deny"})
    assert unknown(policy("true", paramKind={"apiVersion": "v1", "kind": "Secret"}), bound, secret) == [
        "it asks for its parameters, which are secret"
    ]
