"""Compares a verdict with what a case expects, and describes a verdict as an expectation."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from weighbridge.policies.families.fill.record import KEY, PATH
from weighbridge.policies.ground.objects import JSONObject, JSONValue, pointer
from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.texts.yaml_text import yaml_text

_RECORD: Final = pointer(PATH)
#: The keys that are always compared; if the case doesn't have them, there must be none.
_ALWAYS: Final = ("findings", "notes", "unchecked")
_IF_GIVEN: Final = ("code", "message", "causes", "warnings", "patch", "nearest")


@dataclass(frozen=True, slots=True)
class Difference:
    """A key of the expectation in which the verdict differs."""

    key: str
    expected: JSONValue
    found: JSONValue

    def lines(self) -> Iterator[str]:
        """The difference: expected lines with a minus, found ones with a plus."""
        yield f"{self.key}:"
        before, after = (_lines(value) for value in (self.expected, self.found))
        yield from (line for line in difflib.ndiff(before, after) if not line.startswith("?"))


def described(record: Mapping[str, Any]) -> JSONObject:
    """A verdict, as the record of a dry run, in the keys of an expectation."""
    shown = [finding for finding in record["findings"] if not finding["rule"].startswith("K8S-")]
    spoken = [finding for finding in shown if finding["severity"] != "note"]
    unchecked = (entry["subject"].split()[0] for entry in record["unchecked"])
    return {
        "allowed": record["allowed"],
        "findings": [_said(finding) for finding in spoken],
        "notes": sorted(_said(finding) for finding in shown if finding["severity"] == "note"),
        "unchecked": sorted(subject for subject in unchecked if "-" in subject),
        "code": record["code"],
        "message": record["message"],
        "causes": record["causes"],
        "warnings": record["warnings"],
        "patch": [operation for operation in record["patch"] if not _is_record(operation)],
        "nearest": [finding["nearest"] for finding in spoken if "nearest" in finding],
    }


def differences(expect: JSONObject, record: Mapping[str, Any]) -> list[Difference]:
    """The keys in which a verdict differs from an expectation."""
    found = described(record)
    differing = [Difference("allowed", expect["allowed"], found["allowed"])] if expect["allowed"] is not found["allowed"] else []
    for key in (*_ALWAYS, *(key for key in _IF_GIVEN if key in expect)):
        wanted = expect.get(key, [])
        if wanted != found[key]:
            differing.append(Difference(key, wanted, found[key]))
    if "object" in expect and not _contains(record["object"], expect["object"]):
        differing.append(Difference("object", expect["object"], _same_part(record["object"], expect["object"])))
    return differing


def _said(finding: Mapping[str, Any]) -> str:
    text = f"{finding['field']}: {finding['message']}" if finding["field"] else finding["message"]
    return f"{finding['rule']} {text}"


def _is_record(operation: Mapping[str, Any]) -> bool:
    """Whether an operation writes the record of filled-in values, which follows from the others."""
    if operation["path"] == "/metadata/annotations":
        return bool(operation["op"] == "remove" or operation["value"].keys() == {KEY})
    return bool(operation["path"] == _RECORD)


def _contains(whole: JSONValue, part: JSONValue) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and _contains(whole[key], value) for key, value in part.items())
    return bool(whole == part)


def _same_part(whole: JSONValue, part: JSONValue) -> JSONValue:
    """The fields of a part as an object has them."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return {key: _same_part(whole[key], value) for key, value in part.items() if key in whole}
    return whole


def _lines(value: JSONValue) -> list[str]:
    if value in ([], "", None):
        return ["(none)"]
    return yaml_text(value, width=100_000).rstrip("\n").splitlines()
