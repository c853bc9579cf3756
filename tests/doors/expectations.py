"""Compares a verdict, as a record of the dry run, with what a case expects."""

from __future__ import annotations

from typing import Any

from policies.families.filling.record import KEY, PATH
from policies.objects import pointer
from tests.doors.cases import Case

RECORD = pointer(PATH)


def _contains(whole: Any, part: Any) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and _contains(whole[key], value) for key, value in part.items())
    return bool(whole == part)


def _is_record(operation: dict[str, Any]) -> bool:
    """Whether an operation writes the record of what was filled in, which follows from the others; `test_record.py` holds it."""
    path = operation["path"]
    if path == "/metadata/annotations":
        return bool(operation["op"] == "remove" or operation["value"].keys() == {KEY})
    return bool(path == RECORD)


def check(case: Case, record: dict[str, Any]) -> None:
    """Fail with what differs."""
    expect = case.expect
    told = [finding for finding in record["findings"] if finding["severity"] != "info" and not finding["rule"].startswith("K8S-")]
    assert record["allowed"] is expect["allowed"], record["message"]
    assert [finding["rule"] for finding in told] == expect.get("findings", [])
    rules = [entry["subject"].split()[0] for entry in record["unchecked"] if "-" in entry["subject"].split()[0]]
    assert sorted(rules) == expect.get("unchecked", [])
    for key in ("code", "message", "causes", "warnings"):
        if key in expect:
            assert record[key] == expect[key]
    if "patch" in expect:
        assert [operation for operation in record["patch"] if not _is_record(operation)] == expect["patch"]
    if "nearest" in expect:
        assert [finding["nearest"] for finding in told if "nearest" in finding] == expect["nearest"]
    if "object" in expect:
        assert _contains(record["object"], expect["object"]), record["object"]
    if not expect["allowed"]:
        assert record["message"]
