"""Enforcement, ratchet and the words of a refusal."""

from __future__ import annotations

import pytest

from weighbridge.policies.config import Configuration
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.judgement import denial_text, enforce, failure_finding, ratchet, unsaid

REQUEST = Request("1", Operation.CREATE, GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model"), {}, namespace="a", name="m")
FINDING = Finding("X-001", Severity.ERROR, ("spec", "a"), "is wrong")


@pytest.mark.parametrize(
    ("enforcement", "severities"),
    [("deny", ["error"]), ("warn", ["warning"]), ("audit", ["note"]), ("off", [])],
)
def test_enforcement_sets_the_weight(enforcement: str, severities: list[str]) -> None:
    config = parse({"rules": {"X-001": enforcement}})
    assert [finding.severity for finding in enforce([FINDING], config, REQUEST)] == severities


def test_a_rule_that_is_not_named_keeps_its_weight() -> None:
    assert enforce([FINDING], Configuration(), REQUEST) == [FINDING]


def test_what_was_wrong_before_only_warns() -> None:
    other = Finding("X-001", Severity.ERROR, ("spec", "b"), "is wrong")
    assert [finding.severity for finding in ratchet([FINDING, other], [FINDING])] == [Severity.WARNING, Severity.ERROR]


def test_a_failure_weighs_what_the_mode_says() -> None:
    assert failure_finding("x", Configuration()).severity is Severity.ERROR
    assert failure_finding("x", parse({"onError": "warn"})).severity is Severity.WARNING


def test_a_refusal_names_field_and_rule_and_all_of_them() -> None:
    assert denial_text([FINDING, FINDING]) == "spec.a: is wrong (X-001); spec.a: is wrong (X-001)"
    assert denial_text([FINDING], "hook.dev") == 'admission webhook "hook.dev" denied the request: spec.a: is wrong (X-001)'


@pytest.mark.parametrize(
    ("severity", "exempted", "expected"),
    [
        (Severity.ERROR, "", []),
        (Severity.WARNING, "", ["error"]),
        (Severity.NOTE, "", ["error", "warning"]),
        (Severity.NOTE, "as agreed", ["error"]),
        (None, "", ["error", "warning"]),
    ],
)
def test_what_a_rule_has_said_with_the_same_weight_is_not_said_again(severity: Severity | None, exempted: str, expected: list[str]) -> None:
    about_placement = [Finding("PLACE-001", weight, (), "no node") for weight in (Severity.ERROR, Severity.WARNING)]
    said = [] if severity is None else [Finding("X-001", severity, (), "no node", exempted=exempted)]
    assert [str(finding.severity) for finding in unsaid(about_placement, said)] == expected
