"""No output controls a terminal, hides or reverses text, or breaks its format's grammar, wherever the text in it comes from."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from typing import Any, TextIO, cast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.doors.cases import CASES
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.dry_run_report import FORMATS, Verdict
from weighbridge.webhook.dry_run_report.parts.record import verdict_record
from weighbridge.webhook.dry_run_report.parts.shapes import VerdictRecord
from weighbridge.webhook.dry_run_report.parts.yaml_lines import lines_of
from weighbridge.webhook.manifests import InputIssue, IssueKind, Position, Span
from weighbridge.webhook.report import FORMATS as LINT_FORMATS
from weighbridge.webhook.report import Located, Report, Result, Status, Style, Summary
from weighbridge.webhook.report.parts.excerpt import excerpt
from weighbridge.webhook.texts.escapes import in_json, shown
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.style import Role
from weighbridge.webhook.texts.yaml_text import yaml_text

#: Escape, bell, CSI as one character, an override, an isolate, a mark, a separator, a byte order mark, a tag, a noncharacter.
NASTY = "\x1b]0;x\x07\x9b31m\u202e\u2066\u200f\u2028\ufeff\U000e0041\ufffe\x85\x7f"
#: Fields with a closed set of values that formats read and authors never write.
_CLOSED = frozenset({"severity", "allowed", "code", "version", "celCost", "kind", "field", "object"})


def _poisoned(value: JSONValue, key: str = "") -> JSONValue:
    if isinstance(value, dict):
        return {name: _poisoned(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_poisoned(inner, key) for inner in value]
    return f"{value}{NASTY}\n{NASTY}" if isinstance(value, str) and key not in _CLOSED else value


def _record(*, allowed: bool) -> VerdictRecord:
    """The record of a service with every field that a record may have; each text has the bad characters in it."""
    case = next(case for case in CASES if case.folder.name == "accepts-a-draft-model")
    record: dict[str, Any] = copy.deepcopy(cast(dict[str, Any], verdict_record("case", case.decision)))
    assert record["effective"]["objects"]
    record["allowed"] = allowed
    record["message"] = "refused"
    record["warnings"] = ["mind this"]
    record["findings"] = [
        dict.fromkeys(("rule", "message", "hint", "found", "expected", "nearest", "exempted"), "text")
        | {"severity": "error", "field": f"spec[{NASTY}]"}
    ]
    record["unchecked"] = [{"subject": "a rule", "reason": "a reason"}]
    record["placement"] = {
        "feasible": ["node"],
        "rejected": {f"other{NASTY}": ["a reason"]},
        "message": "",
        "nearest": ["a"],
        "outlook": "now",
    }
    record["effective"]["failure"] = "a failure"
    record["effective"]["events"] = [{"reason": "Reason", "note": "a note"}]
    record["effective"]["settings"] = [{"name": "--flag", "value": "a value", "origin": "an origin"}]
    record["object"]["metadata"]["annotations"] = {f"key{NASTY}": "value", "flow": f"\n{NASTY} " * 40}
    record["source"] = "file.yaml"
    return cast(VerdictRecord, _poisoned(record))


def _is_clean(text: str) -> bool:
    return all(char == "\n" or char.isprintable() for char in text)


def _written(name: str, record: VerdictRecord) -> str:
    stream = io.StringIO()
    report = FORMATS[name](stream, Style())
    report.write(Verdict(record, given={"spec": {"given": NASTY}}, place=f"a file{NASTY}\nof two lines:1"))
    report.finish({"template": 1})
    return stream.getvalue()


@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "refused"])
@pytest.mark.parametrize("name", FORMATS)
def test_a_verdict_has_nothing_in_it_that_a_terminal_would_take_for_an_order(name: str, allowed: bool) -> None:
    written = _written(name, _record(allowed=allowed))
    assert _is_clean(written)
    assert r"\u202e" in written


@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "refused"])
@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_a_verdict_in_json_is_what_it_was_once_it_is_read(name: str, allowed: bool) -> None:
    record = _record(allowed=allowed)
    read = json.loads(_written(name, record))
    assert (read["verdicts"] if name == "json" else [read]) == [record]


def test_a_stored_object_in_yaml_is_what_it_was_once_it_is_read() -> None:
    record = _record(allowed=True)
    assert list(yaml.safe_load_all(_written("yaml", record))) == [record["object"]]


def test_what_the_operator_makes_is_what_it_was_once_it_is_read() -> None:
    record = _record(allowed=True)
    documents = [document for document in yaml.safe_load_all(_written("effective", record)) if document is not None]
    assert documents == record["effective"]["objects"]


@pytest.mark.parametrize("name", ["yaml", "effective"])
def test_of_a_refused_object_there_are_comments_alone(name: str) -> None:
    record = _record(allowed=False)
    record.pop("effective")
    written = _written(name, record)
    assert all(line.startswith(("#", "---")) for line in written.splitlines())
    assert [document for document in yaml.safe_load_all(written) if document is not None] == []


def test_colours_are_the_only_orders_to_a_terminal() -> None:
    stream = io.StringIO()
    for name in ("text", "diff", "effective"):
        FORMATS[name](stream, Style(color=True)).write(Verdict(_record(allowed=True), place=NASTY))
    left = stream.getvalue()
    for colour in ("0", "1", "2", "31", "32", "33", "36"):
        left = left.replace(f"\x1b[{colour}m", "")
    assert _is_clean(left)


def _result(text: str = NASTY) -> Result:
    finding = Finding("RULE-1", Severity.ERROR, ("spec", text), text, text, text, text, text, exempted=text)
    return Result(
        source=f"file{text}\n",
        index=0,
        object=text,
        status=Status.FAILED,
        findings=[Located(finding, Span(Position(1, 1), Position(1, 4)))],
        issues=[InputIssue(text, 2, 1, text, IssueKind.FINDING, text)],
        unchecked=[Unchecked(text, text)],
        lines=[f"key{text}: {text}", f"\t{text}", text],
    )


def _reported(opened: Callable[[TextIO, Style], Report], style: Style, text: str = NASTY) -> str:
    stream = io.StringIO()
    report = opened(stream, style)
    report.write(_result(text))
    report.finish(Summary())
    return stream.getvalue()


def _fault(name: str, opened: Callable[[TextIO, Style], Report], style: Style) -> str:
    """What is wrong with a format's output; nothing if it can't steer a terminal or break its own grammar."""
    written, separators = _reported(opened, style), getattr(opened(io.StringIO(), style), "separators", "")
    odd = sorted({char for char in written if char != "\n" and char not in separators and not char.isprintable()})
    if odd:
        cure = "write texts through shown() of webhook/texts/escapes.py, and name what separates fields in `separators` of the class"
        return f"-o {name} writes {', '.join(map(ascii, odd))}: {cure}"
    if r"\u202e" not in written:
        return f"-o {name} doesn't show the finding's texts: write them, with what isn't printable as an escape"
    for separator in separators:
        if _reported(opened, style, NASTY + separator).count(separator) != written.count(separator):
            return f"-o {name} writes {separator!a} of a text as it is: write texts through shown() of webhook/texts/escapes.py"
    return ""


@pytest.mark.parametrize("style", [Style(), Style(full=True)], ids=["concise", "full"])
@pytest.mark.parametrize("name", LINT_FORMATS)
def test_a_report_has_nothing_in_it_that_a_terminal_would_take_for_an_order(name: str, style: Style) -> None:
    assert not _fault(name, LINT_FORMATS[name], style)


class _Separated:
    """A format with a tab between its fields, which are written as `escaped` has them."""

    separators = "\t"

    def __init__(self, stream: TextIO, escaped: Callable[[str], str]) -> None:
        self._stream, self._escaped = stream, escaped

    def write(self, result: Result) -> None:
        """Write a line for each finding."""
        for located in result.findings:
            fields = map(self._escaped, (result.source, located.finding.rule, located.finding.message))
            self._stream.write("\t".join(fields) + "\n")

    def finish(self, summary: Summary) -> None:
        """Nothing follows."""


class _WithoutSeparators(_Separated):
    """The same, which doesn't name its separator."""

    separators = ""


@pytest.mark.parametrize(
    ("format_class", "escaped", "fault"),
    [
        (_Separated, shown, ""),
        (_WithoutSeparators, shown, r"-o tsv writes '\t': write texts through shown()"),
        (_Separated, str, r"-o tsv writes '\x07', '\x1b', '\x7f', '\x85', '\x9b', '\u200f'"),
        (_Separated, lambda text: "\t".join(map(shown, text.split("\t"))), r"-o tsv writes '\t' of a text as it is: "),
        (_Separated, lambda _: "-", "-o tsv doesn't show the finding's texts"),
    ],
    ids=["good", "unnamed", "raw", "breaks-its-grammar", "empty"],
)
def test_a_format_with_separators_names_them(format_class: type[_Separated], escaped: Callable[[str], str], fault: str) -> None:
    found = _fault("tsv", lambda stream, _: format_class(stream, escaped), Style())
    assert found.startswith(fault)
    assert bool(found) is bool(fault)


def test_a_report_in_json_is_what_it_was_once_it_is_read() -> None:
    stream = io.StringIO()
    report = LINT_FORMATS["json"](stream, Style())
    report.write(_result())
    report.finish(Summary())
    (result,) = json.loads(stream.getvalue())["results"]
    (finding,) = result["findings"]
    assert {result["object"], finding["message"], finding["hint"], finding["nearest"], result["issues"][0]["message"]} == {NASTY}


def test_carets_stand_under_what_they_stood_under() -> None:
    line = "a\x1b: \u202eword end"
    start = line.index("word") + 1
    window = list(excerpt([line], Span(Position(1, start), Position(1, start + 4)), Role.ERROR, Style()))
    carets = window[2]
    assert window[1][carets.index("^") : carets.rindex("^") + 1] == "word"


@given(st.text())
def test_shown_text_is_printable_and_leaves_printable_text_alone(text: str) -> None:
    assert shown(text).isprintable()
    assert not text.isprintable() or shown(text) == text


@given(st.text(), st.text())
def test_each_character_is_shown_by_itself(before: str, after: str) -> None:
    assert shown(before) + shown(after) == shown(before + after)


@pytest.mark.parametrize(
    ("text", "told"), [("\x1b[2J", r"\x1b[2J"), ("a\nb\tc", r"a\nb c"), ("\u202e\U000e0041", r"\u202e\U000e0041"), ("\udcff", r"\xff")]
)
def test_what_is_not_printable_is_shown_as_an_escape(text: str, told: str) -> None:
    assert shown(text) == told


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_escaped_json_is_the_same_value(value: JSONValue) -> None:
    escaped = in_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert _is_clean(escaped)
    assert json.loads(escaped) == value


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8"))))
def test_yaml_is_printable_and_the_same_value(value: JSONValue) -> None:
    assert _is_clean(yaml_text(value))
    assert yaml.safe_load(yaml_text(value)) == value


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=40), st.text(st.characters(codec="utf-8"))))
def test_yaml_line_by_line_is_printable_and_the_same_value(value: JSONValue) -> None:
    lines = [line for line, _ in lines_of(value)]
    assert all(map(str.isprintable, lines))
    assert yaml.safe_load("\n".join(lines)) == value


def test_a_text_that_is_no_text_is_written_all_the_same() -> None:
    assert yaml.safe_load(yaml_text({"a": "x\udcff"})) == json.loads(readable({"a": "x\udcff"})) == {"a": "x\ufffd"}


def test_a_long_text_stays_what_it_was_on_one_line() -> None:
    value = {"plain": "some words " * 40 + "end", "lines": "first\n  second\n" * 20, "nasty": NASTY * 20 + " words" * 60}
    lines = [line for line, _ in lines_of(value)]
    assert len(lines) == len(value)
    assert yaml.safe_load("\n".join(lines)) == value
