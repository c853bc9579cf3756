"""The reports of `weighbridge test`: text, JUnit XML and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from weighbridge import __version__
from weighbridge.webhook.cli.cases.coverage import Coverage
from weighbridge.webhook.cli.cases.verdicts import JudgedCase
from weighbridge.webhook.texts.escapes import shown

VERSION: Final = 1


def text(judged: Sequence[JudgedCase], coverage: Coverage | None, *, verbose: bool) -> Iterator[str]:
    """The lines of text: what differs, then the counts; with `verbose` also the passed cases."""
    for one in judged:
        if one.is_well and verbose:
            yield f"ok    {shown(one.name)}"
        elif one.error:
            yield f"error {shown(one.name)}"
            yield from (f"      {shown(line)}" for line in one.error.splitlines())
        elif not one.is_well:
            yield f"FAIL  {shown(one.name)}: {shown(one.case.sentence) if one.case is not None else ''}"
            yield from (f"      {shown(line)}" for difference in one.differences for line in difference.lines())
    if coverage is not None:
        yield from map(shown, coverage.lines(verbose=verbose))
    yield _counts(judged)


def _counts(judged: Sequence[JudgedCase]) -> str:
    errors = sum(bool(one.error) for one in judged)
    failed = sum(not one.is_well for one in judged) - errors
    parts = [f"{len(judged) - failed - errors} passed", f"{failed} failed", *([f"{errors} can't be read"] if errors else [])]
    return f"{len(judged)} case{'' if len(judged) == 1 else 's'}: {', '.join(parts)}"


def junit(judged: Sequence[JudgedCase], coverage: Coverage | None, *, verbose: bool) -> Iterator[str]:
    """One JUnit XML document: a test case for each case, its sentence among the output."""
    del coverage, verbose  # Jenkins' schema has no place for the former, and says nothing of passed cases
    errors = sum(bool(one.error) for one in judged)
    failed = sum(not one.is_well for one in judged) - errors
    seconds = sum(one.seconds for one in judged)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<testsuites name="weighbridge test">'
    counts = f'tests="{len(judged)}" failures="{failed}" errors="{errors}" skipped="0" time="{seconds:.6f}"'
    yield f'  <testsuite name="weighbridge test" {counts}>'
    for one in judged:
        folder, _, name = one.name.rpartition("/")
        opening = f'    <testcase classname="{escape(shown(folder or "cases"))}" name="{escape(shown(name))}" time="{one.seconds:.6f}"'
        if one.is_well:
            yield f"{opening}/>"
            continue
        told = one.error or "\n".join(line for difference in one.differences for line in difference.lines())
        tag = "error" if one.error else "failure"
        sentence = one.error.partition("\n")[0] if one.error else one.case.sentence if one.case is not None else ""
        yield f'{opening}>\n      <{tag} type="verdict" message="{escape(shown(sentence))}">{_xml(told)}</{tag}>\n    </testcase>'
    yield "  </testsuite>"
    yield "</testsuites>"


def _xml(told: str) -> str:
    return "\n".join(escape(shown(line)) for line in told.splitlines())


def as_json(judged: Sequence[JudgedCase], coverage: Coverage | None, *, verbose: bool) -> Iterator[str]:
    """One JSON document."""
    del verbose
    cases = []
    for one in judged:
        entry: dict[str, object] = {"case": one.name, "outcome": "error" if one.error else "passed" if one.is_well else "failed"}
        if one.case is not None:
            entry["shows"] = one.case.sentence
        if one.error:
            entry["error"] = one.error
        if one.differences:
            entry["differences"] = [{"key": each.key, "expected": each.expected, "found": each.found} for each in one.differences]
        cases.append(entry)
    record = {"version": VERSION, "tool": {"name": "weighbridge", "version": __version__}, "cases": cases}
    yield json.dumps({**record, **({"coverage": coverage.as_json()} if coverage is not None else {})}, indent=2, ensure_ascii=False)


FORMATS: Final[dict[str, Callable[..., Iterator[str]]]] = {"text": text, "junit": junit, "json": as_json}
