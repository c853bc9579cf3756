"""The words in the expectations of the cases.

Only words are written: if the findings come from other rules than `expect.yaml` expects, the file stays as it is, and the difference is
reported. A case without `expect.yaml` gets one with its verdict, if the verdict is what the name of the case says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from tests.doors.cases import Case
from tests.doors.expectations import shown_findings, told, unchecked_rules
from weighbridge.webhook.dry_run_report.parts.record import verdict_record

#: What the first word of a case's name says of its verdict, unless it says that the case is accepted.
_VERBS: Final = {"refuses": "is refused", "warns": "is warned of", "notes": "is noted"}


def rewrite(case: Case) -> list[str]:
    """Write the words of a case; or return how its verdict differs from the expected one."""
    record = dict(verdict_record("case", case.decision))
    said = {"findings": list(map(told, shown_findings(record))), "notes": sorted(map(told, shown_findings(record, notes=True)))}
    path = case.folder / "expect.yaml"
    if not case.expect:
        return _begin(path, record, said)
    if differing := list(_differing(case, record, said)):
        return differing
    wanted: dict[str, Any] = {key: texts for key, texts in said.items() if texts}
    wanted |= {key: record[key] for key in ("message", "causes", "warnings") if key in case.expect}
    text = before = path.read_text()
    for key, value in wanted.items():
        if case.expect.get(key) != value:
            text = _replaced(text, key, value)
    if text != before:
        path.write_text(text)
    return []


def _begin(path: Path, record: dict[str, Any], said: dict[str, list[str]]) -> list[str]:
    """Write the first expectation of a case; or return how its verdict differs from its name."""
    name = path.parent.name
    verb = name.partition("-")[0]
    severities = [finding["severity"] for finding in shown_findings(record)]
    fits = {
        "refuses": not record["allowed"],
        "warns": record["allowed"] and bool(severities),
        "notes": record["allowed"] and bool(said["notes"]),
    }.get(verb, record["allowed"] and "error" not in severities)
    if not fits:
        verdict = "allowed" if record["allowed"] else "refused"
        why = f"{verdict}, and by its name the case {_VERBS.get(verb, 'is accepted')}; change the objects, the rule or the name"
        return ["\n    ".join((why, *said["findings"], *said["notes"]))]
    wanted = {"allowed": record["allowed"], **said, "unchecked": unchecked_rules(record)}
    expected = {key: value for key, value in wanted.items() if value or key == "allowed"}
    sentence = name.replace("-", " ").capitalize()
    path.write_text(f"# {sentence}.\n{_block(expected)}", encoding="utf-8")
    return []


def _differing(case: Case, record: dict[str, Any], said: dict[str, list[str]]) -> Iterator[str]:
    """The keys of a verdict that differ, each with the rules, and the messages of those that aren't expected."""
    lacking = (f"{entry['subject'].split()[0]} {entry['reason']}" for entry in record["unchecked"])
    texts = {**said, "unchecked": [text for text in sorted(lacking) if text.split()[0] in unchecked_rules(record)]}
    for key, found in texts.items():
        speaking, expected = _ids(found), _ids(case.expect.get(key, []))
        if speaking != expected:
            why = (text for text in found if text.split()[0] not in expected)
            yield "\n    ".join((f"{key}: {difference(speaking, expected)}", *why))
    if record["allowed"] is not case.expect["allowed"]:
        verdict = f"allowed: {str(record['allowed']).lower()}, but {str(case.expect['allowed']).lower()} is expected"
        yield "\n    ".join(filter(None, (verdict, record.get("message"))))


def difference(found: list[str], expected: list[str]) -> str:
    """Which rules were found unexpectedly and which were missing; if they are the same, their order."""
    more, less = list((Counter(found) - Counter(expected)).elements()), list((Counter(expected) - Counter(found)).elements())
    if not more and not less:
        return f"the order is {', '.join(found)}"
    parts = (f"{', '.join(more)} not expected" if more else "", f"{', '.join(less)} expected but missing" if less else "")
    return "; ".join(filter(None, parts))


def _ids(texts: Iterable[str]) -> list[str]:
    """The rules of findings as `expect.yaml` has them."""
    return [text.split()[0] for text in texts]


def _replaced(text: str, key: str, value: Any) -> str:
    """The text of a YAML map with another value of one of its keys, the rest as it was written."""
    return re.sub(rf"^{key}:.*\n(?:(?:[ -].*)?\n)*?(?=^[^\s-]|\Z)", lambda _: _block({key: value}), text, count=1, flags=re.MULTILINE)


def _block(values: dict[str, Any]) -> str:
    return yaml.safe_dump(values, allow_unicode=True, width=130, sort_keys=False)
