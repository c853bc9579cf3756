"""The fields on which each rule depends: a change of one of them makes the rule report a finding, or none any more.

They are the fields of its examples, and of the objects in the cluster of the examples.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from tests.families.examples import CLUSTER, example_request, examples
from tests.families.test_boundaries import BOUNDARIES, spoken
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.rule import Rule
from weighbridge.policies.ground.findings import Finding
from weighbridge.policies.ground.objects import JSONObject, Path, field, lookup, walk
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

#: The ways in which a field is changed, in the order in which they are written.
_CHANGES: Final = ("without", "with another value", "with an empty value", "with one more", "with one less")

#: Fields of every object.
_ALWAYS: Final[tuple[Path, ...]] = (("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"))


def lines(family: Family, rule: Rule) -> list[str]:
    """The changes with which a rule is silent about its bad example, those with which it reports its good one, and further findings that
    neither example has.
    """
    bad, good = _Example(family, rule, examples(rule).bad), _Example(family, rule, examples(rule).good)
    turning = [*bad.turning("silent"), *good.turning("speaks")]
    at_bounds = {_text(finding) for id_, _, fails in BOUNDARIES if id_ == rule.id for finding in spoken(family, rule, fails)}
    also = sorted((bad.told | good.told | at_bounds) - {*bad.said, *good.said})
    return [*turning, *(f"says also {text}" for text in also)]


class _Example:
    """An example of a rule."""

    def __init__(self, family: Family, rule: Rule, text: str) -> None:
        self._rule = rule
        self._config = parse(examples(rule).config)
        self._request = example_request(family, rule, text)
        self._beside = list(examples(rule).beside)
        self._facts = self._from(self._beside)
        #: The rule's findings on the example.
        self.said = self._judge(self._request, self._facts)
        #: Its findings on the changed examples.
        self.told: set[str] = set()

    def turning(self, outcome: str) -> Iterator[str]:
        """The fields that turn the verdict, one line for each way to change them."""
        request, facts = self._request, self._facts
        for change in _CHANGES:
            places = [self._turning(request.object, change, lambda changed: self._judge(replace(request, object=changed), facts))]
            if request.old_object is not None:
                old = self._turning(request.old_object, change, lambda changed: self._judge(replace(request, old_object=changed), facts))
                places.append(old and f"the old object: {old}")
            for number, obj in enumerate(self._beside):

                def judge(changed: Any, number: int = number) -> list[str]:
                    return self._judge(request, self._from([*self._beside[:number], changed, *self._beside[number + 1 :]]))

                found = self._turning(obj, change, judge)
                places.append(found and f"{obj['kind']} {obj['metadata']['name']}: {found}")
            if any(places):
                yield f"{outcome} {change}: {'; '.join(filter(None, places))}"

    def _turning(self, value: Any, change: str, judge: Callable[[Any], list[str]]) -> str:
        """The fields of an object that turn the verdict; if one is within another, the innermost."""
        paths = []
        for path, changed in _changed(value, change):
            told = judge(changed)
            self.told.update(told)
            if bool(told) is not bool(self.said):
                paths.append(path)
        return ", ".join(f"`{field(path)}`" for path in paths if not any(_leads_into(other, path) for other in paths))

    def _judge(self, request: Request, facts: Facts) -> list[str]:
        # Rules share values through the request. A copy of it has none that depend on other facts.
        said = self._rule.check(replace(request), facts, self._config)
        return [_text(finding) for finding in said if isinstance(finding, Finding)]

    def _from(self, beside: Sequence[JSONObject]) -> Facts:
        return from_objects([*CLUSTER, *beside], bundled_definitions(self._config))


def _text(finding: Finding) -> str:
    """A finding in one line: its field, its message, and its other parts."""
    more = [f"{label}: {said}" for label in ("expected", "nearest", "hint") if (said := getattr(finding, label))]
    return "; ".join([f"`{finding.field}`: {finding.message}", *more])


def _changed(value: Any, change: str) -> Iterator[tuple[Path, Any]]:
    """The changed values, one for each field that can be changed in this way."""
    for path, old in walk(value):
        if path and path not in _ALWAYS and (new := _new(old, change)) != [old]:
            changed = copy.deepcopy(value)
            inside = lookup(changed, path[:-1])
            if new:
                inside[path[-1]] = new[0]
            else:
                del inside[path[-1]]
            yield path, changed


def _new(value: Any, change: str) -> list[Any]:
    """The changed value as a list of one: an empty list if it is removed, and the same value if it can't be changed in this way."""
    is_number, is_text = isinstance(value, int) and not isinstance(value, bool), isinstance(value, str)
    match change:
        case "without":
            return []
        case "with another value" if is_text:
            return ["other"]
        case "with another value" if isinstance(value, bool):
            return [not value]
        case "with an empty value" if is_text:
            return [""]
        case "with one more" if is_number:
            return [value + 1]
        case "with one less" if is_number:
            return [value - 1]
    return [value]


def _leads_into(inner: Path, outer: Path) -> bool:
    return len(inner) > len(outer) and inner[: len(outer)] == outer
