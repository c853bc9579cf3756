"""The variables of a policy's expressions, and the limits on their costs. The words are those of a real kube-apiserver."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.situations import binding, box, by, judged, known, policy, request, unknown
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.cluster_policies import POLICY_KINDS

_USER = {"username": "ann", "groups": ["dev"]}
_NAMESPACE: JSONObject = {
    "apiVersion": "v1",
    "kind": "Namespace",
    "metadata": {"name": "lab", "labels": {"env": "prod"}, "uid": "1", "resourceVersion": "2", "creationTimestamp": "2026-01-01T00:00:00Z"},
    "spec": {"finalizers": ["kubernetes"]},
    "status": {"phase": "Active"},
}
_TEN = "[1,2,3,4,5,6,7,8,9,10]"
_MILLIONS = f"{_TEN}.all(a, {_TEN}.all(b, {_TEN}.all(c, {_TEN}.all(d, {_TEN}.all(e, a + b + c + d + e > 0)))))"


def _error(expression: str, text: str) -> list[str]:
    return [f"expression '{expression}' resulted in error: {text}"]


@pytest.mark.parametrize(
    "expression",
    [
        "oldObject == null && object != null",
        "request.operation == 'CREATE' && request.name == 'one' && request.namespace == 'lab'",
        "!has(request.subResource) && request.kind.kind == 'Box' && request.resource.resource == 'boxes'",
        "request.userInfo.username == 'ann' && 'dev' in request.userInfo.groups && !has(request.userInfo.uid)",
        "namespaceObject.metadata.labels.env == 'prod' && namespaceObject.status.phase == 'Active'",
        "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'lab'",
        "object.spec.size == 5.0 && object.metadata.labels == {'a': 'b'}",
        "request.dryRun == false",
    ],
)
def test_what_an_expression_sees(expression: str) -> None:
    assert by(policy(expression), binding(), _NAMESPACE, asked=request(box(labels={"a": "b"}), user=_USER)) == []


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("request.subResource == ''", "no such key: subResource"),
        ("oldObject.spec.size == 1", "no such key: spec"),
        ("object.spec.until > timestamp('2026-01-01T00:00:00Z')", "no such overload"),
        ("object.spec.__size__ == 5", "no such key: __size__"),
    ],
)
def test_what_an_expression_does_not_see(expression: str, error: str) -> None:
    asked = request(box({"size": 5, "until": "2026-01-01T00:00:00Z"}))
    assert by(policy(expression), binding(), asked=asked) == _error(expression, error)


def test_a_deletion_has_no_object() -> None:
    expression = "object == null && oldObject.spec.size == 5 && request.operation == 'DELETE'"
    assert by(policy(expression), binding(), asked=request(None, box(uid="1"))) == []


@pytest.mark.parametrize(
    ("expression", "asks_for"),
    [
        ("object.metadata.uid != ''", "metadata.uid of a new object"),
        ("object.metadata.managedFields.size() > 0", "metadata.managedFields of a new object"),
        ("authorizer.group('').resource('pods').check('get').allowed()", "what the cluster's authorizer says"),
        ("authorizer.requestResource.check('x').allowed()", "what the cluster's authorizer says"),
        ("request.userInfo.username == 'ann'", "who sends the request"),
        ("namespaceObject.metadata.labels.env == 'prod'", "the namespace lab"),
    ],
)
def test_what_is_not_known_offline_is_not_guessed(expression: str, asks_for: str) -> None:
    assert unknown(policy(expression), binding()) == [f"it asks for {asks_for}"]
    assert by(policy(expression), binding()) == []


def test_what_is_not_known_does_not_matter_where_it_is_not_read() -> None:
    assert by(policy("true || object.metadata.uid == ''"), binding()) == []
    assert unknown(policy("object.spec.size == 5 || authorizer.requestResource.check('x').allowed()"), binding()) == []


def test_variables_are_worked_out_when_they_are_read() -> None:
    written = [{"name": "boom", "expression": "object.spec.nothing"}, {"name": "size", "expression": "object.spec.size"}]
    more = [*written, {"name": "more", "expression": "variables.boom"}]
    assert by(policy("variables.size == 5", variables=written), binding()) == []
    text = 'composited variable "more" fails to evaluate: composited variable "boom" fails to evaluate: no such key: nothing'
    assert by(policy("variables.more == 1", variables=more), binding()) == _error("variables.more == 1", text)
    assert by(policy("variables.size == 5 || variables.boom", variables=written), binding()) == []


def test_an_optional_variable_has_a_fault_of_the_server() -> None:
    written = [{"name": "o", "expression": "object.?spec.size"}]
    assert by(policy("variables.o.value() == 5 && variables.o.orValue(1) == 5", variables=written), binding()) == []
    expression = "string(variables.o.value()) == '5'"
    assert by(policy(expression, variables=written), binding()) == _error(expression, "no such overload: string(int)")


def test_a_variable_that_refers_to_itself_is_not_judged() -> None:
    written = [{"name": "x", "expression": "1"}, {"name": "x", "expression": "variables.x + 1"}]
    assert unknown(policy("variables.x == 2", variables=written), binding()) == ["it asks for the variable x, which refers to itself"]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ({}, _error(_MILLIONS, "operation cancelled: actual cost limit exceeded")),
        ({"failurePolicy": "Ignore"}, []),
    ],
)
def test_an_expression_may_cost_a_million(spec: dict[str, Any], texts: list[str]) -> None:
    assert by(policy(_MILLIONS, **spec), binding()) == texts


def test_a_variable_costs_where_it_is_first_read() -> None:
    written = [{"name": "n", "expression": _MILLIONS}]
    text = 'composited variable "n" fails to evaluate: operation cancelled: actual cost limit exceeded'
    assert by(policy("variables.n", variables=written), binding())[0].endswith(text)


def test_all_of_a_binding_may_cost_ten_millions() -> None:
    spent = "validation failed due to running out of cost budget, no further validation rules will be run"
    assert by(policy(*[_MILLIONS] * 12), binding()) == [spent]
    assert by(policy(*[_MILLIONS] * 12, failurePolicy="Ignore"), binding()) == []
    conditions = [{"name": f"c{number}", "expression": _MILLIONS} for number in range(3)]
    assert by(policy("false", matchConditions=conditions), binding()) == [spent]
    assert by(policy("false", matchConditions=conditions, failurePolicy="Ignore"), binding()) == []


def test_an_old_object_without_what_its_server_wrote_is_known_in_part() -> None:
    stored = box({"size": 4}, uid="1", creationTimestamp="2026-01-01T00:00:00Z", managedFields=[])
    changed = {**stored, "spec": {"size": 5}}
    found = judged(known(policy("object.metadata.uid == oldObject.metadata.uid"), binding()), request(changed, stored))
    assert (found.denials, found.unchecked) == ([], [])
    assert unknown(policy("oldObject.metadata.resourceVersion == '1'"), binding(), asked=request(changed, stored)) == [
        "it asks for metadata.resourceVersion of the stored object"
    ]


def test_the_step_and_the_checks_know_the_same_kinds() -> None:
    from weighbridge.policies.admission_policies.acceptance import KINDS

    assert set(KINDS) == POLICY_KINDS


def test_variables_may_follow_each_other_a_thousand_times() -> None:
    written = [{"name": "v0", "expression": "object.spec.size"}]
    written += [{"name": f"v{number}", "expression": f"variables.v{number - 1} + 1"} for number in range(1, 1000)]
    unread = {"name": "boom", "expression": "object.spec.nothing + variables.v999"}
    last = {"expression": "variables.v999 == 0", "messageExpression": "string(variables.v999)"}
    assert by(policy(last, variables=[*written, unread]), binding()) == ["1004"]
    broken = [{"name": "v0", "expression": "object.spec.nothing"}, *written[1:60]]
    (text,) = by(policy("variables.v59 == 0", variables=broken), binding())
    assert text.count("composited variable") == 60
    assert text.endswith('composited variable "v0" fails to evaluate: no such key: nothing')
