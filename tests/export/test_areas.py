"""The enforcement of a configuration as selectors of namespaces: every namespace gets the action that Weighbridge gives it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from tests.export.parts import configuration
from weighbridge.policies.config.enforcement import Enforcement
from weighbridge.policies.config.selection import LabelExpression, LabelSelector
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.user_policies.native.areas import EVERYWHERE, enforced

MODEL = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
CLUSTER_MODEL = GroupVersionKind("aim.eai.amd.com", "v1alpha1", "AIMClusterModel")
PLACES: list[dict[str, str]] = [
    {"kubernetes.io/metadata.name": name, **{key: value for key, value in labels.items() if value is not None}}
    for name in ("a", "b", "c")
    for labels in (dict(zip(("stage", "open"), values, strict=True)) for values in product((None, "lab", "prod", "old"), (None, "", "yes")))
]
SELECTED = {"matchExpressions": [{"key": "stage", "operator": "In", "values": ["lab", "prod"]}, {"key": "open", "operator": "Exists"}]}
DOCUMENTS: list[dict[str, Any]] = [
    {},
    {"rules": {"POLICY-001": "warn"}},
    {"enforcement": [{"rules": ["POLICY-*"], "action": "warn", "namespaces": ["a", "b"]}]},
    {"enforcement": [{"rules": ["*"], "action": "off"}, {"rules": ["POLICY-001"], "action": "deny", "namespaces": ["b"]}]},
    {"enforcement": [{"rules": ["*"], "action": "warn", "namespaceSelector": SELECTED}]},
    {
        "rules": {"POLICY-001": "audit"},
        "enforcement": [
            {"rules": ["*"], "action": "warn", "namespaceSelector": SELECTED},
            {"rules": ["*"], "action": "deny", "namespaces": ["a"], "namespaceSelector": {"matchLabels": {"stage": "prod"}}},
            {"rules": ["POLICY-002"], "action": "off"},
        ],
    },
    {"enforcement": [{"rules": ["*"], "action": "audit", "namespaceSelector": {"matchExpressions": [
        {"key": "stage", "operator": "NotIn", "values": ["lab"]}, {"key": "open", "operator": "DoesNotExist"}]}}]},
    {"rules": {"POLICY-001": "audit"}, "namespaces": {"a": {"rules": {"POLICY-001": "deny"}}, "b": {"rules": {"POLICY-001": "warn"}}}},
    {"enforcement": [{"rules": ["*"], "action": "warn", "namespaces": ["*"]}, {"rules": ["*"], "action": "off", "kinds": ["Model"]}]},
]  # fmt: skip


def selects(selector: JSONObject, labels: Mapping[str, str]) -> bool:
    """Whether a selector of a binding selects a namespace."""
    expressions = [LabelExpression(one["key"], one["operator"], one.get("values", [])) for one in selector.get("matchExpressions", [])]
    return LabelSelector(match_expressions=expressions).selects(labels)


@pytest.mark.parametrize("severity", list(Severity))
@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_namespace_is_in_the_area_of_its_action_alone(document: dict[str, Any], severity: Severity) -> None:
    config = configuration({"apiVersion": "weighbridge.dev/v1alpha1", **document})
    areas = enforced("POLICY-001", severity, MODEL, EVERYWHERE, config)
    for labels in PLACES:
        wanted = config.ruling("POLICY-001", severity, MODEL, labels["kubernetes.io/metadata.name"], labels).action
        found = [action for area, action in areas if selects(area.selector, labels)]
        assert found == ([] if wanted is Enforcement.OFF else [wanted])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_kind_without_namespaces_has_one_action(document: dict[str, Any]) -> None:
    config = configuration({"apiVersion": "weighbridge.dev/v1alpha1", **document})
    areas = enforced("POLICY-001", Severity.ERROR, CLUSTER_MODEL, None, config)
    assert [action for _, action in areas] == [config.ruling("POLICY-001", Severity.ERROR, CLUSTER_MODEL, "").action]
