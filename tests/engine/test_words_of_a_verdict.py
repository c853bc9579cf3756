"""The words around a verdict: refusals, hints, audit annotations and the record of filled-in values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.apiserver.probe import PLAIN_CRD, PROBE_CRD
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.config import Configuration
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.findings import Finding, Provenance, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, Operation, Path
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.judgement import (
    audit_annotations,
    denial_text,
    denied,
    failure_finding,
    field_error_findings,
    in_manifest,
    mutation_warnings,
    ratchet,
    refusal_finding,
    unsaid,
)

FINDING = Finding("X-001", Severity.ERROR, ("spec", "a"), "is wrong")
KNOWN = Definitions.from_manifests([PROBE_CRD, PLAIN_CRD])


def kind(group: str, version: str, name: str) -> GroupVersionKind:
    return GroupVersionKind(group, version, name)


def test_a_refusal_ends_with_the_first_configuration_that_would_let_it_pass() -> None:
    one, other = replace(FINDING, configuration="expected: [a]"), replace(FINDING, rule="X-002", configuration="expected: [b]")
    ends = ". If such a node will come, add to Weighbridge's configuration: expected: [a]"
    assert denial_text([one, other]) == f"spec.a: is wrong (X-001); spec.a: is wrong (X-002){ends}"
    assert denial_text([FINDING, one], "w") == (
        f'admission webhook "w" denied the request: spec.a: is wrong (X-001); spec.a: is wrong (X-001){ends}'
    )


def test_a_refusal_says_what_to_do_after_each_rule() -> None:
    hinted, expected = replace(FINDING, hint="write b", expected="b"), replace(FINDING, expected="b or c")
    assert denial_text([hinted, expected]) == "spec.a: is wrong (X-001: write b); spec.a: is wrong (X-001: expected b or c)"
    said = replace(FINDING, message="is wrong; write b", expected="b")
    assert denial_text([said]) == "spec.a: is wrong; write b (X-001)"


def test_the_audit_log_is_told_of_rules_notes_exceptions_and_what_was_filled_in() -> None:
    found = [
        FINDING,
        replace(FINDING, rule="B-001", severity=Severity.NOTE),
        replace(FINDING, rule="A-001", severity=Severity.NOTE, exempted="as agreed"),
        replace(FINDING, rule="A-001", severity=Severity.NOTE, exempted="as agreed"),
        replace(FINDING, rule="A-000", severity=Severity.NOTE, exempted="until May"),
        replace(FINDING, rule="C-001", severity=Severity.WARNING),
    ]
    filled = [Provenance(("spec", "b"), 1, "s", "r"), Provenance(("spec", "c", 0), 1, "s", "r")]
    assert audit_annotations(found, filled) == {
        "rules": "A-000,A-001,B-001,C-001,X-001",
        "audited": "B-001",
        "exempted": "A-000: until May; A-001: as agreed",
        "filled-in": "spec.b,spec.c[0]",
    }
    assert audit_annotations([], filled[:1]) == {"filled-in": "spec.b"}


@pytest.mark.parametrize(
    ("finding", "changed"),
    [
        (FINDING, True),
        (replace(FINDING, hint="other"), True),
        (replace(FINDING, message="is worse"), False),
        (replace(FINDING, path=("spec", "b")), False),
        (replace(FINDING, rule="X-002"), False),
        (replace(FINDING, severity=Severity.NOTE), False),
    ],
)
def test_only_an_error_that_was_there_before_word_for_word_is_forgiven(finding: Finding, changed: bool) -> None:
    hint = finding.hint or "this update doesn't change it, so it is only a warning"
    expected = replace(finding, severity=Severity.WARNING, hint=hint) if changed else finding
    assert ratchet([finding], [FINDING]) == [expected]


def test_a_failure_points_to_the_log() -> None:
    hint = "the log has the details; on the command line, run weighbridge --debug"
    assert failure_finding("it broke", Configuration()) == Finding(
        "WB-000", Severity.ERROR, (), "it broke", hint=hint, reason="InternalError"
    )
    assert failure_finding("it broke", parse({"onError": "warn"})).severity is Severity.WARNING


def test_errors_of_fields_refuse_in_the_servers_words() -> None:
    request = Request("1", Operation.CREATE, kind("g", "v1", "K"), {"metadata": {"name": "a"}})
    error = FieldError(ErrorType.REQUIRED, "spec.a")
    text = 'K.g "a" is invalid: spec.a: Required value'
    causes = [{"reason": "FieldValueRequired", "message": "Required value", "field": "spec.a"}]
    assert denied(request, [error]) == Refusal(422, text, causes)
    assert denied(request, [error], "w").message == f'admission webhook "w" denied the request: {text}'
    assert denied(replace(request, name="b"), [error]).message == 'K.g "b" is invalid: spec.a: Required value'


def test_an_error_of_a_field_is_a_finding_that_prints_as_the_server_prints_it() -> None:
    errors = [FieldError(ErrorType.INVALID, "spec.m[a.b].c[0]", 1, "is odd"), FieldError(ErrorType.TOO_LONG, "")]
    one, other = field_error_findings(errors)
    assert (one.rule, one.severity, one.path, one.reason) == ("K8S-003", Severity.ERROR, ("spec", "m", "a.b", "c", 0), "FieldValueInvalid")
    assert str(one) == "spec.m[a.b].c[0]: Invalid value: 1: is odd"
    assert (other.path, str(other), other.reason) == ((), "<nil>: Too long", "FieldValueTooLong")


@pytest.mark.parametrize(
    ("path", "moved"),
    [
        (("spec", "validation", "openAPIV3Schema", "type"), ("spec", "versions", 0, "schema", "openAPIV3Schema", "type")),
        (("spec", "subresources", "scale"), ("spec", "versions", 0, "subresources", "scale")),
        (("spec", "additionalPrinterColumns", 1), ("spec", "versions", 0, "additionalPrinterColumns", 1)),
        (("spec", "selectableFields"), ("spec", "versions", 0, "selectableFields")),
        (("spec", "names", "kind"), ("spec", "names", "kind")),
        (("status", "validation"), ("status", "validation")),
        (("spec",), ("spec",)),
        ((), ()),
    ],
)
def test_what_older_versions_named_is_found_where_the_manifest_has_it(path: Path, moved: Path) -> None:
    finding = Finding("K8S-003", Severity.ERROR, path, "is wrong")
    found = in_manifest(finding)
    assert (found.path, found.field, found.message) == (moved, finding.field, "is wrong")


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Provenance(("spec", "a"), [1, "<"], "CRD", "why"), 'weighbridge set spec.a to [1,"\\u003c"] (CRD: why)'),
        (Provenance(("spec", "a", 0), False, "x", "y"), "weighbridge set spec.a[0] to false (x: y)"),
        (Provenance(("spec", "a"), None, "x", "y"), "weighbridge removed spec.a (x: y)"),
    ],
)
def test_what_was_filled_in_is_told(entry: Provenance, text: str) -> None:
    assert mutation_warnings([entry]) == [text]


def test_a_refusal_about_no_field_is_a_finding_about_the_object() -> None:
    assert refusal_finding(Refusal(409, "a conflict")) == Finding("K8S-007", Severity.ERROR, (), "a conflict", reason="FieldValueInvalid")


def test_nothing_is_unsaid_where_nothing_was_said() -> None:
    assert unsaid([FINDING], []) == [FINDING]
    assert unsaid([], [FINDING]) == []
