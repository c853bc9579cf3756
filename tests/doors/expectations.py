"""Compares a verdict, as a record of the dry run, with what a case expects."""

from __future__ import annotations

from typing import Any

from tests.doors.cases import Case
from weighbridge.policies.families.fill.record import KEY, PATH
from weighbridge.policies.ground.objects import pointer

RECORD = pointer(PATH)


def _contains(whole: Any, part: Any) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and _contains(whole[key], value) for key, value in part.items())
    return bool(whole == part)


def shown_findings(record: dict[str, Any], *, notes: bool = False) -> list[dict[str, Any]]:
    """The errors and warnings of rules, or their notes; `message`, `causes` and `warnings` have the API server's own words."""
    findings = [finding for finding in record["findings"] if not finding["rule"].startswith("K8S-")]
    return [finding for finding in findings if (finding["severity"] == "note") is notes]


def told(finding: dict[str, Any]) -> str:
    """A finding in the form of `expect.yaml`: rule, field and whole message."""
    said = f"{finding['field']}: {finding['message']}" if finding["field"] else finding["message"]
    return f"{finding['rule']} {said}"


def unchecked_rules(record: dict[str, Any]) -> list[str]:
    """The ids of the rules that lacked a fact, sorted."""
    subjects = (entry["subject"].split()[0] for entry in record["unchecked"])
    return sorted(subject for subject in subjects if "-" in subject)


def _is_record(operation: dict[str, Any]) -> bool:
    """Whether an operation writes the record of what was filled in, which follows from the others; `test_record.py` tests it."""
    path = operation["path"]
    if path == "/metadata/annotations":
        return bool(operation["op"] == "remove" or operation["value"].keys() == {KEY})
    return bool(path == RECORD)


def check(case: Case, record: dict[str, Any]) -> None:
    """Fail with the differences."""
    expect = case.expect
    found = shown_findings(record)
    assert record["allowed"] is expect["allowed"], record["message"]
    assert [told(finding) for finding in found] == expect.get("findings", [])
    assert sorted(map(told, shown_findings(record, notes=True))) == expect.get("notes", [])
    assert unchecked_rules(record) == expect.get("unchecked", [])
    for key in ("code", "message", "causes", "warnings"):
        if key in expect:
            assert record[key] == expect[key]
    if "patch" in expect:
        assert [operation for operation in record["patch"] if not _is_record(operation)] == expect["patch"]
    if "nearest" in expect:
        assert [finding["nearest"] for finding in found if "nearest" in finding] == expect["nearest"]
    if "object" in expect:
        assert _contains(record["object"], expect["object"]), record["object"]
    if not expect["allowed"]:
        assert record["message"]
