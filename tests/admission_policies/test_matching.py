"""Which requests a policy matches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.situations import API, EVERYTHING, binding, box, by, policy, request, unknown
from weighbridge.policies.ground.objects import JSONObject, Operation

_NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "lab", "labels": {"env": "prod"}}}
_OLD = box(labels={"tier": "x"}, uid="1")


def _rule(**changes: Any) -> JSONObject:
    return {**EVERYTHING, **changes}


def _is_asked(match: JSONObject, asked: Any = None, *objects: JSONObject, **spec: Any) -> bool:
    rules = match.pop("resourceRules", [EVERYTHING])
    return bool(by(policy("false", rules=rules, match=match), binding(**spec), *objects, asked=asked))


@pytest.mark.parametrize(
    ("rule", "is_asked"),
    [
        ({"operations": ["CREATE"]}, True),
        ({"operations": ["UPDATE", "DELETE"]}, False),
        ({"apiGroups": ["", "example.com"]}, True),
        ({"apiGroups": [""]}, False),
        ({"resources": ["boxes"]}, True),
        ({"resources": ["boxes/scale"]}, False),
        ({"resources": ["*/*"]}, True),
        ({"resources": ["boxes/*"]}, True),
        ({"resources": ["*/scale"]}, False),
        ({"scope": "Namespaced"}, True),
        ({"scope": "Cluster"}, False),
        ({"resourceNames": ["one"]}, True),
        ({"resourceNames": ["two"]}, False),
    ],
)
def test_a_rule_decides_by_each_of_its_parts(rule: JSONObject, is_asked: bool) -> None:
    assert _is_asked({"resourceRules": [_rule(**rule)]}) is is_asked


@pytest.mark.parametrize(
    ("match", "is_asked"),
    [
        ({"resourceRules": [_rule(apiVersions=["v1beta1"])]}, True),
        ({"resourceRules": [_rule(apiVersions=["v1beta1"])], "matchPolicy": "Exact"}, False),
        ({"resourceRules": [_rule(apiVersions=["v2"])]}, False),
        ({"excludeResourceRules": [_rule(apiVersions=["v1beta1"])]}, False),
        ({"excludeResourceRules": [_rule(apiVersions=["v1beta1"])], "matchPolicy": "Exact"}, True),
    ],
)
def test_an_equivalent_version_matches_unless_the_policy_is_exact(match: JSONObject, is_asked: bool) -> None:
    assert _is_asked(match) is is_asked


def test_an_object_that_is_matched_in_another_version_is_seen_in_that_version() -> None:
    expression = "object.apiVersion == 'example.com/v1beta1' && request.kind.version == 'v1beta1' && request.requestKind.version == 'v1'"
    assert by(policy(expression, rules=[_rule(apiVersions=["v1beta1"])]), binding()) == []


def test_an_object_selector_looks_at_the_object_before_and_after() -> None:
    match = {"objectSelector": {"matchLabels": {"tier": "x"}}}
    assert not _is_asked(dict(match))
    assert _is_asked(dict(match), request(box(uid="1"), _OLD))
    assert _is_asked(dict(match), request(None, _OLD))


def test_a_namespace_selector_looks_at_the_labels_of_the_namespace() -> None:
    assert _is_asked({"namespaceSelector": {"matchLabels": {"env": "prod"}}}, None, _NAMESPACE)
    assert not _is_asked({"namespaceSelector": {"matchLabels": {"env": "lab"}}}, None, _NAMESPACE)
    assert _is_asked({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "lab"}}}, None, _NAMESPACE)


def test_a_namespace_is_matched_by_its_own_new_labels() -> None:
    selector = {"namespaceSelector": {"matchLabels": {"env": "prod"}}}
    escaped = {**_NAMESPACE, "metadata": {"name": "lab"}}
    assert _is_asked(dict(selector), request(_NAMESPACE))
    assert not _is_asked(dict(selector), request(escaped, _NAMESPACE, Operation.UPDATE), _NAMESPACE)


def test_a_namespace_that_is_not_known_matters_only_where_the_rest_matches() -> None:
    selector = {"namespaceSelector": {"matchLabels": {"env": "prod"}}}
    assert unknown(policy("false", match=selector), binding()) == ["it asks for the labels of the namespace lab"]
    assert unknown(policy("false", match=selector, rules=[_rule(resources=["pods"])]), binding()) == []


def test_the_resources_of_a_binding_narrow_those_of_its_policy() -> None:
    assert not _is_asked({}, matchResources={"resourceRules": [_rule(operations=["DELETE"])]})
    assert _is_asked({}, matchResources={"objectSelector": {"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}})


def test_policies_are_never_asked_about_policies() -> None:
    obj = {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "x"}, "spec": {}}
    assert not _is_asked({}, request(obj))


def test_a_generated_name_is_not_known() -> None:
    asked = request({**box(), "metadata": {"generateName": "gen-", "namespace": "lab"}})
    assert unknown(policy("false", rules=[_rule(resourceNames=["gen-"])]), binding(), asked=asked) == [
        "it asks for the name that the server generates"
    ]
    (text,) = by(policy("false"), binding(), asked=asked)
    assert text == "failed expression: false"


def _missing(name: str) -> str:
    return f"expression 'object.{name} == 1' resulted in error: no such key: {name}"


@pytest.mark.parametrize(
    ("conditions", "fails", "texts"),
    [
        (["false", "object.spec.nothing == 1"], True, []),
        (["object.spec.nothing == 1"], False, []),
        (["object.spec.nothing == 1"], True, ["expression 'object.spec.nothing == 1' resulted in error: no such key: nothing"]),
        (
            ["object.a == 1", "object.b == 1"],
            True,
            [f"[{_missing('a')}, {_missing('b')}]"],
        ),
        (["namespaceObject == null", "request.resource.version == 'v1'"], True, ["failed expression: false"]),
    ],
)
def test_conditions(conditions: list[str], fails: bool, texts: list[str]) -> None:
    written = [{"name": f"c{number}", "expression": one} for number, one in enumerate(conditions)]
    found = by(policy("false", matchConditions=written, failurePolicy="Fail" if fails else "Ignore"), binding(), _NAMESPACE)
    assert found == texts
