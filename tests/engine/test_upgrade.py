"""What the verdicts of several releases say together."""

from __future__ import annotations

from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import RELEASES
from weighbridge.policies.verdict.upgrade import STORED_OTHERWISE, compared

OLD, NEW = RELEASES[0], RELEASES[-1]


def _finding(message: str, *path: str) -> Finding:
    return Finding("R-1", Severity.WARNING, path, message)


def _stored(value: JSONValue) -> Decision:
    return Decision(True, 201, object=value)


def test_a_refusal_by_one_release_is_the_verdict() -> None:
    refused = Decision(False, 422, message="no", causes=[{"field": "a"}])
    for judged in ([(OLD, refused), (NEW, _stored({}))], [(OLD, _stored({})), (NEW, refused)]):
        found = compared(judged)
        assert (found.allowed, found.code, found.message, found.causes) == (False, 422, "no", [{"field": "a"}])


def test_findings_of_all_releases_are_told_in_the_newest_ones_words() -> None:
    old, new = Decision(True, 201, findings=[_finding("once", "a")]), Decision(True, 201, findings=[_finding("now", "a")])
    assert [finding.message for finding in compared([(OLD, old), (NEW, new)]).findings] == ["now"]


def test_findings_and_warnings_of_some_say_whose_they_are() -> None:
    old = Decision(True, 201, findings=[_finding("gone", "a")], warnings=["both", "w"])
    new = Decision(True, 201, findings=[_finding("came", "b")], warnings=["both"])
    found = compared([(OLD, old), (NEW, new)])
    assert [finding.message for finding in found.findings] == ["in Kubernetes 1.34: gone", "in Kubernetes 1.37: came"]
    assert found.warnings == ["both", "in Kubernetes 1.34: w"]


def test_each_value_that_is_stored_otherwise_is_noted() -> None:
    old = _stored({"spec": {"same": 1, "gone": "x", "list": [1, {"a": True}]}})
    new = _stored({"spec": {"same": 1, "list": [1, {"a": False}], "came": 2}})
    notes = compared([(OLD, old), (NEW, new)]).findings
    assert {(note.rule, note.severity) for note in notes} == {(STORED_OTHERWISE, Severity.NOTE)}
    assert [str(note) for note in notes] == [
        'spec.gone: Kubernetes 1.37 stores nothing, and 1.34 "x"',
        "spec.list[1].a: Kubernetes 1.37 stores false, and 1.34 true",
        "spec.came: Kubernetes 1.37 stores 2, and 1.34 nothing",
    ]


def test_one_release_is_its_own_verdict() -> None:
    only = _stored({})
    assert compared([(NEW, only)]) is only
