"""The words of a family: each rule's findings on its bad example, and all texts that are reported, filled in and predicted in the cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from tests.doors.cases import CASES, Case
from tests.families.examples import decided, examples
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Decision, Finding
from weighbridge.policies.ground.objects import name_of

_PARTS: Final = ("found", "expected", "nearest", "hint", "configuration")
_INDEX: Final = re.compile(r"\[\d+\]")
_DIGITS: Final = re.compile(r"\b[0-9a-f]{16}\b")


def findings(family: Family, rule: Rule) -> str:
    """A rule's findings on its bad example."""
    return "\n".join(_paragraph(finding) for finding in decided(family, rule, examples(rule).bad).findings if finding.rule == rule.id)


def told(family: Family) -> list[str]:
    """The parts of the cases' findings other than the message, which is in `expect.yaml` of each case."""
    return sorted({line for case, decision in _decisions(family) for finding in decision.findings for line in _beside(case, finding)})


def _beside(case: Case, finding: Finding) -> Iterator[str]:
    place = f"{finding.rule} {finding.severity} at {_INDEX.sub('[]', finding.field) or 'the object'}"
    yield from (f"{place}: {label}: {_plain(text, case)}" for label in _PARTS if (text := getattr(finding, label)))


def filled_in(family: Family) -> list[str]:
    """The fields that are filled in in the cases, each with source and reason."""
    return sorted(
        {
            f"{case.object['kind']} {_INDEX.sub('[]', str(entry.as_json()['field']))}: {entry.source}: {_plain(entry.reason, case)}"
            for case, decision in _decisions(family)
            for entry in decision.provenance
        }
    )


def predicted(family: Family) -> list[str]:
    """The values, settings, events and failures that are predicted in the cases, each with source and reason."""
    return sorted({line for case, decision in _decisions(family) for line in _predictions(case, decision)})


def unchecked(family: Family) -> list[str]:
    """The parts of the cases that couldn't be judged, and why."""
    return sorted(
        {f"{entry.subject}: {_plain(entry.reason, case)}" for case, decision in _decisions(family) for entry in decision.unchecked}
    )


#: The lists of a page by their titles.
LISTS: Final[dict[str, Callable[[Family], list[str]]]] = {
    "Reported in cases": told,
    "Filled in": filled_in,
    "Predicted": predicted,
    "Not checked": unchecked,
}


def _predictions(case: Case, decision: Decision) -> Iterator[str]:
    effective = decision.effective or {}
    for value in effective.get("values", ()):
        place = f"{value['object'].partition('/')[0]} {_INDEX.sub('[]', value['field'])}"
        yield f"{place}: {_plain(value['source'], case)}: {_plain(value['reason'], case)}"
    for event in effective.get("events", ()):
        yield f"event {event['reason']}: {_plain(event['note'], case)}"
    if effective.get("failure"):
        yield f"fails: {_plain(effective['failure'], case)}"


def _plain(text: str, case: Case) -> str:
    """The text without the parts that differ from case to case: names of objects, digests."""
    for name in sorted(_names(case), key=len, reverse=True):
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", "NAME", text)
    return _DIGITS.sub("DIGEST", text)


def _names(case: Case) -> Iterable[str]:
    # A snapshot has its objects in it.
    objects = [case.object, *(obj for document in case.cluster or () for obj in (document.get("items") or (document,)))]
    return {name for obj in objects if isinstance(obj, dict) and obj.get("kind") != "Deployment" and (name := name_of(obj))}


def _decisions(family: Family) -> list[tuple[Case, Decision]]:
    groups = {kind.gvk.group for kind in family.kinds}
    return [(case, case.decision) for case in CASES if str(case.object["apiVersion"]).partition("/")[0] in groups]


def _paragraph(finding: Finding) -> str:
    parts = "".join(f"- {label}: {text}\n" for label in _PARTS if (text := getattr(finding, label)))
    return f"{finding.severity} at {finding.field or 'the object'}\n\n> {finding.message}\n" + (f"\n{parts}" if parts else "")
