"""The server stores a policy or a binding, or refuses it, in its words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.situations import EVERYTHING, binding, known, policy, request
from weighbridge.policies.admission_policies.acceptance import problems_of
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import RELEASES, judging
from weighbridge.policies.verdict.engine import Phase, decide


def _texts(obj: JSONObject) -> list[str]:
    return list(map(str, problems_of(obj)))


def _where(*validations: str | JSONObject, **spec: Any) -> str:
    (text,) = _texts(policy(*validations, **spec))
    return text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("object.spec.on", 'Invalid value: "object.spec.on": must evaluate to bool but got dyn'),
        ("'x'", "Invalid value: \"'x'\": must evaluate to bool but got string"),
        ("[1] + [2]", 'Invalid value: "[1] + [2]": must evaluate to bool but got list(int)'),
        (" ", "Required value: expression is not specified"),
        ("int('4x') == 1", "Internal error: program instantiation failed: type conversion error from 'string' to 'int'"),
    ],
)
def test_an_expression_that_is_no_condition(expression: str, text: str) -> None:
    assert _where(expression) == f"spec.validations[0].expression: {text}"


def test_an_expression_that_does_not_compile() -> None:
    text = _where("variables.a == params")
    assert "compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')" in text
    assert "undeclared reference to 'params' (in container '')" in text


_STORED = ["has(object.a) && object.a", "!object.a", "object.a ? true : false", "bool(object.a)", "1 / 0 == 1"]


@pytest.mark.parametrize("expression", _STORED)
def test_conditions_that_are_stored(expression: str) -> None:
    assert _texts(policy(expression)) == []


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({"failurePolicy": "Maybe"}, 'spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'),
        (
            {"match": {"matchPolicy": "x"}},
            'spec.matchConstraints.matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"',
        ),
        ({"rules": []}, "spec.matchConstraints.resourceRules: Required value"),
        (
            {"rules": [{**EVERYTHING, "resources": ["*", "pods"]}]},
            (
                'spec.matchConstraints.resourceRules[0].resources: Invalid value: ["*","pods"]: '
                "if '*' is present, must not specify other resources without subresources"
            ),
        ),
        ({"paramKind": {"apiVersion": "v1"}}, "spec.paramKind.kind: Required value"),
        ({"variables": [{"name": "in", "expression": "1"}]}, 'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier'),
        ({"matchConditions": [{"name": "", "expression": "true"}]}, "spec.matchConditions[0].name: Required value"),
    ],
)
def test_other_fields_of_a_policy(spec: dict[str, Any], text: str) -> None:
    assert _where("true", **spec) == text


def test_a_reason_that_is_documented_and_refused() -> None:
    text = 'Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"'
    assert _where({"expression": "true", "reason": "Unauthorized"}) == f"spec.validations[0].reason: {text}"


def test_a_policy_needs_validations_or_audit_annotations() -> None:
    why = "Required value: validations or auditAnnotations must contain at least one item"
    assert _texts(policy()) == [f"spec.validations: {why}", f"spec.auditAnnotations: {why}"]


def test_an_audit_annotation_may_be_a_text_or_null() -> None:
    notes = [{"key": "k", "valueExpression": "object.a"}]
    why = 'Invalid value: "object.a": must evaluate to one of [string null_type] but got dyn'
    assert _where(auditAnnotations=notes) == f"spec.auditAnnotations[0].valueExpression: {why}"


@pytest.mark.parametrize(
    ("obj", "text"),
    [
        (
            binding("Deny", "Warn"),
            (
                'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn '
                "(repeating the same validation failure information in the API response and headers serves no purpose)"
            ),
        ),
        (binding("Deny", "Deny"), 'spec.validationActions[1]: Duplicate value: "Deny"'),
        (binding(to=""), "spec.policyName: Required value"),
        (binding(paramRef={"name": "x"}), "spec.paramRef.parameterNotFoundAction: Required value"),
        (binding(paramRef={"parameterNotFoundAction": "Deny"}), "spec.paramRef: Required value: one of name or selector must be specified"),
    ],
)
def test_a_binding(obj: JSONObject, text: str) -> None:
    assert _texts(obj) == [text]


def test_a_binding_without_actions_is_refused_in_fewer_words_since_1_37() -> None:
    obj = binding()
    obj["spec"]["validationActions"] = []
    with judging(RELEASES[-2]):
        assert _texts(obj) == ["spec.validationActions: Required value: at least one validation action is required"]
    assert _texts(obj) == ["spec.validationActions: Required value"]


def test_an_unknown_field_and_a_wrong_type_are_refused_before_anything_else() -> None:
    (text,) = _texts(policy("true", colour="red"))
    assert text.endswith('strict decoding error: unknown field "spec.colour"')
    (text,) = _texts(policy("true", failurePolicy=1))
    where = "Go struct field ValidatingAdmissionPolicySpec.spec.failurePolicy of type v1.FailurePolicyType"
    assert text.endswith(f"json: cannot unmarshal number into {where}")


@pytest.mark.parametrize(
    ("field", "where"), [("apiVersions", "RuleWithOperations.Rule.apiVersions"), ("operations", "RuleWithOperations.operations")]
)
def test_an_error_names_the_structs_within_a_rule_since_1_35(field: str, where: str) -> None:
    obj = policy("true", rules=[{**EVERYTHING, field: "*"}])
    rule = "NamedRuleWithOperations.spec.matchConstraints.resourceRules"
    assert f"{rule}.{where} of type" in _texts(obj)[0]
    with judging(RELEASES[0]):
        assert f"{rule}.{field} of type" in _texts(obj)[0]


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"metadata": "x"}, "Go struct field ValidatingAdmissionPolicy.metadata of type v1.ObjectMeta"),
        ({"metadata": {"name": 1}}, "Go struct field ObjectMeta.metadata.name of type string"),
        ({"status": "x"}, "Go struct field ValidatingAdmissionPolicy.status of type v1.ValidatingAdmissionPolicyStatus"),
    ],
)
def test_parts_besides_the_spec_have_types_too(parts: JSONObject, text: str) -> None:
    assert _texts(policy("true") | parts)[0].endswith(text)


def test_a_mutating_policy_has_no_status() -> None:
    obj = {**policy("true"), "kind": "MutatingAdmissionPolicy", "spec": {}, "status": {}}
    assert _texts(obj)[0].endswith('strict decoding error: unknown field "status"')


def test_a_new_policy_has_the_generation_1_whatever_its_body_says() -> None:
    assert _texts(policy("true") | {"metadata": {"name": "p", "generation": -1}}) == []


def test_declarative_validation_comes_last_since_1_37() -> None:
    obj = binding(name="b.static.k8s.io", to="")
    assert [text.partition(":")[0] for text in _texts(obj)] == ["metadata.name", "spec.policyName"]


_STORED_METADATA: JSONObject = {
    "name": "p",
    "uid": "u",
    "resourceVersion": "5",
    "generation": 1,
    "creationTimestamp": "2026-01-01T00:00:00Z",
}


@pytest.mark.parametrize(
    ("metadata", "code", "text"),
    [
        ({}, 200, ""),
        ({"resourceVersion": "x"}, 500, 'strconv.ParseUint: parsing "x": invalid syntax'),
        ({"resourceVersion": "4"}, 409, "the object has been modified"),
        ({"resourceVersion": ""}, 422, "metadata.resourceVersion: Invalid value: 0: must be specified for an update"),
        ({"uid": "v"}, 409, "Key: /validatingadmissionpolicies/p, ResourceVersion: 0"),
        ({"name": "q"}, 400, "the name of the object (q) does not match the name on the URL (p)"),
        ({"labels": {"a b": "c"}}, 422, 'metadata.labels: Invalid value: "a b"'),
    ],
)
def test_an_update_of_a_policy_has_conditions(metadata: JSONObject, code: int, text: str) -> None:
    stored = policy("true") | {"metadata": _STORED_METADATA}
    asked = request(stored | {"metadata": _STORED_METADATA | metadata}, stored)
    found = decide(replace(asked, name="p", dry_run=True), known(), DEFAULT, Phase.APISERVER)
    assert found.code == code
    assert text in found.message
    assert len(found.causes) == (code == 422)


def test_a_stored_policy_may_keep_a_name_that_is_reserved_since() -> None:
    stored = policy("true") | {"metadata": _STORED_METADATA | {"name": "p.static.k8s.io"}}
    found = decide(request(stored, stored), known(), DEFAULT, Phase.APISERVER)
    assert found.allowed
    assert found.warnings[0].startswith('metadata.name: names ending with ".static.k8s.io" are reserved')
