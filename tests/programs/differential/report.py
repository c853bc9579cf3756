"""Shows the result of a run, in lines of 80 columns: agreement by CRD and by keyword, and an example of each kind of disagreement."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tests.programs.differential.body_text import written
from tests.programs.differential.both import Comparison
from tests.programs.differential.cases import Case
from tests.programs.differential.minimise import differing, minimised
from tests.programs.differential.run import Result, Tally
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import metadata_of

WIDTH: Final = 80
_MOST_KINDS: Final = 30
_LONGEST_TEXT: Final = 1600
_PARTICULAR: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\d+|\S+\.\S+')


def table(heading: str, tally: Tally) -> Iterator[str]:
    """A line for each thing counted, those with the most disagreement first."""
    yield f"{heading:<56}{'requests':>8}{'equal':>8}{'differ':>8}"
    for key in sorted(tally.sent, key=lambda key: (-tally.differed[key], key)):
        sent, differed = tally.sent[key], tally.differed[key]
        yield f"{_cut(key, 55):<56}{sent:>8}{sent - differed:>8}{differed or '':>8}"


def summary(result: Result) -> Iterator[str]:
    """Both tables and the totals."""
    yield from table("CRD", result.by_crd)
    yield ""
    yield from table("broken", result.by_keyword)
    yield ""
    answers = ", ".join(f"{count} x {code}" for code, count in sorted(result.by_code.items()))
    yield from textwrap.wrap(f"the server answered {answers}", WIDTH)
    if result.by_chance:
        yield f"to {result.by_chance} it has more than one answer, of which ours is one"
    yield f"{result.requests} requests, {len(result.differences)} of them answered differently"


def kinds(differences: Sequence[Comparison]) -> list[list[Comparison]]:
    """The disagreements, those of one kind together and the shortest of each first."""
    groups: dict[tuple[object, ...], list[Comparison]] = {}
    for found in differences:
        groups.setdefault(_kind(found), []).append(found)
    for group in groups.values():
        group.sort(key=lambda found: len(found.text))
    return sorted(groups.values(), key=len, reverse=True)


def _kind(found: Comparison) -> tuple[object, ...]:
    """The key of disagreements with one cause: the parts that differ, and the texts without their details."""
    texts = _PARTICULAR.sub("", " ".join([*_surplus(found, theirs=True), *_surplus(found, theirs=False)]))
    return (found.theirs.code, found.ours.code, found.case.subresource, differing(found), texts[:200])


def _surplus(found: Comparison, *, theirs: bool) -> list[str]:
    """The texts of each side that the other side lacks."""
    one, other = (found.theirs, found.ours) if theirs else (found.ours, found.theirs)
    said: list[str] = []
    if one.code != other.code or one.message != other.message:
        said.append(f"{one.code} {one.message}".rstrip())
    said += [f"{reason} {field}: {text}" for reason, field, text in (Counter(one.causes) - Counter(other.causes)).elements()]
    warnings = Counter(one.warnings) - Counter(other.warnings)
    said += [f"warning: {text}" for text in (warnings.elements() if warnings or one.warnings == other.warnings else one.warnings)]
    return said


def examples(differences: Sequence[Comparison], compare: Callable[[Case], Comparison]) -> Iterator[str]:
    """The smallest example of each kind of disagreement, which further requests make even smaller."""
    groups = kinds(differences)
    for group in groups[:_MOST_KINDS]:
        yield ""
        yield from example(minimised(group[0], compare), len(group))
    if len(groups) > _MOST_KINDS:
        yield ""
        yield f"and {len(groups) - _MOST_KINDS} more kinds"


def example(found: Comparison, count: int) -> Iterator[str]:
    """One disagreement: the request, and the texts of each side that the other lacks."""
    case = found.case
    how = f"{case.operation} {case.edition}{f' /{case.subresource}' if case.subresource else ''}"
    yield from textwrap.wrap(f"{count} x {how}, {case.validation}, broken: {', '.join(case.broken)}", WIDTH)
    yield from _part("body", found.text)
    if case.stored is not None:
        kept = {key: value for key, value in metadata_of(case.stored).items() if key != "managedFields"}
        yield from _part("stored", written(case.stored | {"metadata": kept}, json_text))
    for who, theirs in (("theirs", True), ("ours", False)):
        for text in _surplus(found, theirs=theirs) or ["(says nothing more)"]:
            yield from _part(who, text)
        if "object" in differing(found):
            yield from _part(who, _around(found, theirs=theirs))


def _around(found: Comparison, *, theirs: bool) -> str:
    """The part of the object where the two begin to differ."""
    one, other = (found.theirs.object, found.ours.object) if theirs else (found.ours.object, found.theirs.object)
    begin = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"object ...{one[max(0, begin - 60) : begin + 120]}..." if one else "no object"


def _part(heading: str, text: str) -> list[str]:
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in _cut(text, _LONGEST_TEXT))
    return textwrap.wrap(shown, WIDTH, initial_indent=f"  {heading + ':':<8}", subsequent_indent=" " * 10, break_on_hyphens=False)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 3]}..."
