"""Exceptions: objects for which a rule's finding is noted instead of enforced, each with a reason and, if wanted, an end.

Only the cluster-wide document has exceptions. Each one applies by itself; two are never combined. An index finds the few that can apply to
an object among thousands. An exception with a date ends at the end of this day in UTC, one with a time ends at this time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, Final

from weighbridge.policies.config.sections import SECTION
from weighbridge.policies.config.selection import Kinds, LabelSelector, Names, is_pattern
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text, text_map, texts
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request

_RFC_3339: Final = expression(r"\d{4}-\d\d-\d\d([Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d))?", re.ASCII)
#: A key of the index: a criterion, a form (whole, beginning or end of a name), and the text in this form.
_Anchor = tuple[str, str, str]
_IS, _BEGINS, _ENDS = "is", "begins", "ends"
_ANYTHING: Final[_Anchor] = ("anything", _IS, "")
_ANY_RULE: Final = "*"


@dataclass(frozen=True)
class ExceptionMatch:
    """The objects of an exception: all given criteria must hold, and at least one must be given."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    kinds: list[str] = field(default_factory=list)
    """kinds such as Model or Model.inference.llmkube.dev"""
    namespaces: list[str] = field(default_factory=list)
    """namespaces; * matches any characters"""
    names: list[str] = field(default_factory=list)
    """names of objects; * matches any characters; an object that generateName will name has none yet"""
    label_selector: LabelSelector = field(default_factory=LabelSelector)
    """labels of the object; every user who may set them may use the exception"""
    users: list[str] = field(default_factory=list)
    """users who may use it; * matches any characters; never met offline, where no user is known"""
    groups: list[str] = field(default_factory=list)
    """groups of which the user must be in one; never met offline"""

    @property
    def is_empty(self) -> bool:
        """Whether it has no criterion."""
        given = (self.kinds, self.namespaces, self.names, self.users, self.groups)
        return not any(given) and self.label_selector.is_empty

    @cached_property
    def _compiled(self) -> tuple[Kinds, Names, Names, Names, Names]:
        return Kinds(self.kinds), Names(self.namespaces), Names(self.names), Names(self.users), Names(self.groups)

    def may_be_in(self, namespace: str) -> bool:
        """Whether the exception can apply to objects of a namespace."""
        return self._compiled[1].mean(namespace)

    def includes(self, request: Request) -> bool:
        """Whether the exception applies to the object of a request."""
        kinds, namespaces, names, users, groups = self._compiled
        return (
            kinds.mean(request.gvk)
            and namespaces.mean(request.namespace)
            and (not self.names or (bool(request.name) and names.mean(request.name)))
            and (self.label_selector.is_empty or self.label_selector.selects(text_map(request.object, "metadata", "labels")))
            and (not self.users or (bool(_user(request)) and users.mean(_user(request))))
            and (not self.groups or any(map(groups.mean, texts(request.user_info, "groups"))))
        )


@dataclass(frozen=True)
class RuleException:
    """An exception from rules for some objects."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SECTION

    rules: list[str]
    """rules by id; * matches any characters, as in LLMKUBE-*"""
    match: ExceptionMatch
    """the objects"""
    reason: str
    """why, in words: every report that the exception changes shows it"""
    expires: str | None = None
    """the last day that it holds for (2026-12-31, in UTC), or the time at which it ends (2026-12-31T18:00:00Z); never where not given"""

    @cached_property
    def _rules(self) -> Names:
        return Names(self.rules)

    def excepts(self, rule: str, request: Request) -> bool:
        """Whether it applies to a rule and the object of a request, even if it has ended."""
        return self._rules.mean(rule) and self.match.includes(request)

    @cached_property
    def end(self) -> datetime | None:
        """The moment at which it ends; `None` if it doesn't end. Raises ValueError if `expires` has neither form."""
        return None if self.expires is None else read_end(self.expires)

    def holds(self, moment: datetime | None) -> bool:
        """Whether it is in force at a moment. Without a moment, only exceptions that never end are."""
        return self.end is None or (moment is not None and moment < self.end)


def read_end(expires: str) -> datetime:
    """The moment that a text of `expires` means. Raises ValueError if it is neither a date nor a time of RFC 3339."""
    if not _RFC_3339.fullmatch(expires):
        raise ValueError(expires)
    if len(expires) == len("2026-12-31"):
        return datetime.fromisoformat(expires).replace(tzinfo=UTC) + timedelta(days=1)
    # A fraction may have more digits than a datetime keeps.
    whole = re.sub(r"(\.\d{1,6})\d*", r"\1", expires.upper())
    return datetime.fromisoformat(whole)


def _user(request: Request) -> str:
    return text(request.user_info, "username")


class Exceptions:
    """All exceptions, looked up by rule and object."""

    def __init__(self, exceptions: Sequence[RuleException]) -> None:
        self._exceptions = exceptions
        self._filed: dict[_Anchor, dict[str, list[int]]] = {}
        self._sizes: Counter[_Anchor] = Counter()
        # The lengths of the beginnings and ends of names in the index.
        self._lengths: dict[tuple[str, str], set[int]] = {}
        for index, exception in enumerate(exceptions):
            self._file(index, exception)

    def _file(self, index: int, exception: RuleException) -> None:
        """File an exception under the criterion with the fewest entries so far."""
        anchors = min(_choices(exception.match), key=lambda choice: max(self._sizes[anchor] for anchor in choice))
        rules = [_ANY_RULE] if any(map(is_pattern, exception.rules)) else exception.rules
        for anchor in anchors:
            criterion, form, wanted = anchor
            under = self._filed.setdefault(anchor, {})
            for rule in rules:
                under.setdefault(rule, []).append(index)
            self._sizes[anchor] += 1
            self._lengths.setdefault((criterion, form), set()).add(len(wanted))

    def matching(self, rule: str, request: Request) -> Iterator[RuleException]:
        """The exceptions from a rule for the object of a request, in the order of the document, including those that have ended."""
        if not self._filed:
            return
        for index in sorted(set(self._candidates(rule, request))):
            if self._exceptions[index].excepts(rule, request):
                yield self._exceptions[index]

    def _candidates(self, rule: str, request: Request) -> Iterator[int]:
        for criterion, said in (*_said_by(request), (_ANYTHING[0], _ANYTHING[2])):
            for anchor in self._anchors(criterion, said):
                filed = self._filed.get(anchor)
                if filed:
                    yield from filed.get(rule, ())
                    yield from filed.get(_ANY_RULE, ())

    def _anchors(self, criterion: str, said: str) -> Iterator[_Anchor]:
        yield criterion, _IS, said
        for length in self._lengths.get((criterion, _BEGINS), ()):
            yield criterion, _BEGINS, said[:length]
        for length in self._lengths.get((criterion, _ENDS), ()):
            yield criterion, _ENDS, said[-length:]


def _choices(match: ExceptionMatch) -> list[list[_Anchor]]:
    """The keys under which an exception can be filed: the anchors of each criterion whose items all have one."""
    criteria = {
        "name": [_anchor("name", name) for name in match.names],
        "label": [("label", _IS, f"{key}={value}") for key, value in list(match.label_selector.match_labels.items())[:1]],
        "label key": [("label key", _IS, entry.key) for entry in match.label_selector.match_expressions if entry.needs_label][:1],
        "namespace": [_anchor("namespace", name) for name in match.namespaces],
        "user": [_anchor("user", name) for name in match.users],
        "group": [_anchor("group", name) for name in match.groups],
        "kind": [("kind", _IS, kind) for kind in match.kinds],
    }
    return [anchors for anchors in criteria.values() if anchors and _ANYTHING not in anchors] or [[_ANYTHING]]


def _anchor(criterion: str, name: str) -> _Anchor:
    """The anchor of a name or a pattern: the name itself, or the beginning or end of the pattern."""
    if not is_pattern(name):
        return criterion, _IS, name
    beginning, _, _ = name.partition("*")
    _, _, end = name.rpartition("*")
    if beginning:
        return criterion, _BEGINS, beginning
    return (criterion, _ENDS, end) if end else _ANYTHING


def _said_by(request: Request) -> Iterator[tuple[str, str]]:
    """The values of a request for each criterion."""
    yield "name", request.name
    yield "namespace", request.namespace
    yield "user", _user(request)
    yield "kind", request.gvk.kind
    yield "kind", f"{request.gvk.kind}.{request.gvk.group}"
    for group in texts(request.user_info, "groups"):
        yield "group", group
    for key, value in text_map(request.object, "metadata", "labels").items():
        yield "label", f"{key}={value}"
        yield "label key", key
