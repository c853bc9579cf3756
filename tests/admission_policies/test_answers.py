"""The answers of a policy: texts, reasons, warnings, audit annotations. The words are those of a real kube-apiserver."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission_policies.situations import binding, box, by, judged, known, policy, request
from weighbridge.policies.admission_policies.attributes import attributes_of
from weighbridge.policies.ground.server_release import RELEASES, judging

_FAILED = {"expression": "false"}


def test_a_refusal_names_the_object_the_policy_and_the_binding() -> None:
    facts, asked = known(policy("object.spec.size < 5"), binding()), request(box())
    refusal = judged(facts, asked).refusal(attributes_of(asked, asked.object, None))
    assert refusal is not None
    why = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.spec.size < 5"
    assert (refusal.code, refusal.message) == (422, f'boxes.example.com "one" is forbidden: {why}')
    assert list(refusal.causes) == [{"message": why}]


@pytest.mark.parametrize(("reason", "code"), [("Invalid", 422), ("Forbidden", 403), ("RequestEntityTooLarge", 413)])
def test_the_reason_gives_the_code(reason: str, code: int) -> None:
    facts, asked = known(policy({**_FAILED, "reason": reason}), binding()), request(box())
    refusal = judged(facts, asked).refusal(attributes_of(asked, asked.object, None))
    assert refusal is not None
    assert refusal.code == code


def test_an_error_is_invalid_whatever_the_reason() -> None:
    facts = known(policy({"expression": "object.spec.nothing == 1", "reason": "Forbidden", "message": "unheard"}), binding())
    (denial,) = judged(facts, request(box())).denials
    assert (denial.reason, denial.message) == (
        "Invalid", "expression 'object.spec.nothing == 1' resulted in error: no such key: nothing"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("validation", "text"),
    [
        ({"message": "  no \t"}, "no"),
        ({"messageExpression": "'size ' + string(object.spec.size) + '\\n'", "message": "no"}, "size 5"),
        ({"messageExpression": "'two\\nlines'", "message": "no"}, "no"),
        ({"messageExpression": "' '", "message": "no"}, "no"),
        ({"messageExpression": "string(object.spec.nothing)"}, "failed expression: false"),
        ({"messageExpression": "[1].map(x, 'ab').join('') + 'é'.replace('é', '" + "x" * 5118 + "')"}, "ab" + "x" * 5118),
        ({"messageExpression": "'" + "x" * 5121 + "'"}, "failed expression: false"),
    ],
)
def test_the_text_of_a_failed_validation(validation: dict[str, Any], text: str) -> None:
    assert by(policy({**_FAILED, **validation}), binding()) == [text]


def test_a_warning_is_given_for_each_failed_validation() -> None:
    found = judged(known(policy("false", "true", "object.spec.size > 9"), binding("Warn")), request(box()))
    start = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: "
    assert found.warnings == [f"{start}false", f"{start}object.spec.size > 9"]
    assert found.denials == []


def test_the_audit_log_has_all_failures_since_1_37() -> None:
    facts = known(policy("false", {**_FAILED, "message": "<no>"}), binding("Audit", "Warn"))
    entry = '"policy":"p","binding":"b","expressionIndex"'
    actions = '"validationActions":["Audit","Warn"]'
    first = f'{{"message":"failed expression: false",{entry}:0,{actions}}}'
    second = f'{{"message":"\\u003cno\\u003e",{entry}:1,{actions}}}'
    for release, text in ((RELEASES[-2], f"[{first}]"), (RELEASES[-1], f"[{first},{second}]")):
        with judging(release):
            found = judged(facts, request(box()))
        assert found.annotations == {"validation.policy.admission.k8s.io/validation_failure": text}


def test_audit_annotations_are_published_whether_validations_pass_or_fail() -> None:
    notes = [{"key": "size", "valueExpression": "' ' + string(object.spec.size)"}, {"key": "none", "valueExpression": "''"}]
    found = judged(known(policy("false", auditAnnotations=notes), binding("Audit")), request(box()))
    assert found.annotations["p/size"] == "5"
    assert "p/none" not in found.annotations


def test_an_error_of_an_audit_annotation_denies_though_the_binding_only_warns() -> None:
    notes = [{"key": "k", "valueExpression": "string(object.spec.nothing)"}]
    error = "expression 'string(object.spec.nothing)' resulted in error: no such key: nothing"
    assert by(policy(auditAnnotations=notes), binding("Warn")) == [error]
    assert by(policy(auditAnnotations=notes, failurePolicy="Ignore"), binding("Warn")) == []


def test_with_failure_policy_ignore_errors_are_passed_over_and_failures_are_not() -> None:
    assert by(policy("object.spec.nothing == 1", "false", failurePolicy="Ignore"), binding()) == ["failed expression: false"]


def test_a_policy_without_binding_and_a_binding_without_policy_do_nothing() -> None:
    assert by(policy("false")) == []
    assert by(binding(to="other"), policy("false")) == []


def test_policies_and_bindings_answer_in_the_order_of_their_names() -> None:
    facts = known(policy("false", name="z"), binding(to="z", name="1"), policy("false"), binding(name="3"), binding(name="2"))
    found = judged(facts, request(box()))
    assert [(denial.policy, denial.binding) for denial in found.denials] == [("p", "2"), ("p", "3"), ("z", "1")]
