"""Each format is checked with a reader that isn't ours: schemas of SARIF and GitLab, parsers of JUnit, TAP and Markdown.

The schemas are copies: of OASIS' sarif-spec (sarif-2.1/schema, errata 01), and of GitLab's app/validators/json_schemas/codeclimate.json.
"""

from __future__ import annotations

import io
import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft4Validator, Draft7Validator
from junitparser import Error, Failure, JUnitXml, Skipped
from markdown_it import MarkdownIt
from markdown_it.token import Token
from tap.parser import Parser

from tests.report.objects import MODEL, NO_INVENTORY, NO_MEMORY, TOO_MANY, failing, result_of
from tests.report.test_escapes import NASTY
from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.report import FORMATS, Result, Style, Summary

_SCHEMAS: Final = Path(__file__).parent / "schemas"
#: The characters that have a meaning in each grammar.
ODD: Final = "a | b <c> & \"d\" 'e' `f` @g #1 [h](i) *j* _k_ \\ ]]> 𝄞 %0A ::error:: # SKIP " + NASTY.replace("\u2028", "").replace(
    "\x85", ""
)


def _results() -> list[Result]:
    note = replace(NO_MEMORY, severity=Severity.NOTE)
    odd = replace(TOO_MANY, message=ODD, hint=ODD, nearest=ODD, exempted="")
    return [
        result_of(MODEL, TOO_MANY, NO_MEMORY, note),
        result_of(MODEL.replace("llama", "fine"), source="b/fine.yaml"),
        result_of(MODEL.replace("llama", "odd"), odd, source="b/ä |`.yaml"),
        failing(result_of(MODEL, NO_MEMORY, source="c.yaml"), "warning"),
        result_of(MODEL, unchecked=[NO_INVENTORY], source="d.yaml"),
        result_of(MODEL, replace(note, exempted="until March"), source="e.yaml"),
        result_of("a: *x\n", source="broken.yaml"),
    ]


def written(form: str, results: list[Result], *, verbose: bool = False) -> str:
    """The output of a format."""
    stream = io.StringIO()
    report = FORMATS[form](stream, Style(verbose=verbose))
    for result in results:
        report.write(result)
    report.finish(Summary(files=7, objects=6, failed=2, warned=1, errors=1))
    return stream.getvalue()


def _sarif(results: list[Result]) -> Any:
    document = json.loads(written("sarif", results))
    schema = json.loads((_SCHEMAS / "sarif-schema-2.1.0.json").read_text())
    assert [error.message for error in Draft4Validator(schema).iter_errors(document)] == []
    return document["runs"][0]


@pytest.mark.parametrize("results", [[], _results()], ids=["nothing", "everything"])
def test_sarif_is_what_its_schema_describes(results: list[Result]) -> None:
    run = _sarif(results)
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} == set(rules)
    for rule in rules.values():
        # The properties without which GitHub refuses a file.
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        assert len(rule["fullDescription"]["text"]) <= 1024


def test_sarifs_schema_finds_what_is_wrong() -> None:
    document = json.loads(written("sarif", _results()))
    document["runs"][0]["results"][0]["level"] = "fatal"
    schema = json.loads((_SCHEMAS / "sarif-schema-2.1.0.json").read_text())
    assert list(Draft4Validator(schema).iter_errors(document))


@pytest.mark.parametrize("results", [[], _results()], ids=["nothing", "everything"])
def test_gitlab_reads_each_entry_and_tells_them_apart(results: list[Result]) -> None:
    entries = json.loads(written("gitlab", results, verbose=True))
    schema = json.loads((_SCHEMAS / "gitlab-codeclimate.json").read_text())
    assert [error.message for entry in entries for error in Draft7Validator(schema).iter_errors(entry)] == []
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    # The values and the form of a path are from GitLab's documentation; its schema takes any text.
    assert {entry["severity"] for entry in entries} <= {"info", "minor", "major", "critical", "blocker"}
    assert not any(entry["location"]["path"].startswith(("./", "/")) for entry in entries)


def test_gitlab_hears_how_bad_it_is() -> None:
    entries = json.loads(written("gitlab", _results(), verbose=True))
    found = [(entry["check_name"], entry["location"]["path"], entry["severity"]) for entry in entries]
    assert found == [
        ("LLMKUBE-007", "models/llama.yaml", "minor"),
        ("LLMKUBE-007", "models/llama.yaml", "info"),
        ("LLMKUBE-003", "models/llama.yaml", "critical"),
        ("LLMKUBE-003", "b/ä |`.yaml", "critical"),
        ("LLMKUBE-007", "c.yaml", "major"),
        ("input", "broken.yaml", "critical"),
    ]
    assert len(json.loads(written("gitlab", _results()))) == len(entries) - 1


def test_a_parser_of_junit_counts_the_same() -> None:
    results = [replace(result, seconds=0.25) for result in _results()]
    suites = list(JUnitXml.fromstring(written("junit", results).encode()))
    cases = [case for suite in suites for case in suite]
    assert [suite.name for suite in suites] == [result.source for result in results]
    assert sum(suite.tests for suite in suites) == len(cases)
    kinds = [type(outcome) for case in cases for outcome in case.result]
    assert [kinds.count(kind) for kind in (Failure, Error, Skipped)] == [
        sum(getattr(suite, name) for suite in suites) for name in ("failures", "errors", "skipped")
    ]
    assert [suite.time for suite in suites] == [0.25] * len(results)
    assert sum(case.time for case in cases) == pytest.approx(0.25 * len(results))


def test_a_parser_of_tap_reads_each_point() -> None:
    results = _results()
    text = written("tap", results)
    lines = list(Parser().parse_text(text))
    points = [line for line in lines if line.category == "test"]
    (plan,) = (line for line in lines if line.category == "plan")
    assert plan.expected_tests == len(points)
    assert [point.number for point in points] == list(range(1, len(points) + 1))
    assert sum(not point.ok for point in points) == sum(line.startswith("not ok") for line in text.splitlines()) == 4
    assert sum(point.skip for point in points) == 1
    assert not [line for line in lines if line.category == "unknown"]
    blocks = [point.yaml_block for point in points if point.yaml_block]
    assert len(blocks) == text.count("  ---\n") == 5
    assert blocks[0] == {"message": "no memory is set", "severity": "warning"}


def _rows(text: str) -> list[list[Token]]:
    """The cells of each row of the table, as tokens."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    cells = [after for token, after in itertools.pairwise(tokens) if token.type == "td_open"]
    return [cells[at : at + 4] for at in range(0, len(cells), 4)]


def _plain(cell: Token) -> str:
    """The readable text of a cell, without HTML's markup."""
    return "".join(child.content for child in cell.children or () if child.type in {"text", "code_inline", "text_special"})


def test_a_reader_of_markdown_sees_the_worst_first_and_every_text_as_it_is() -> None:
    rows = _rows(written("markdown", _results(), verbose=True))
    assert [_plain(row[0]) for row in rows] == ["error"] * 4 + ["warning"] + ["note"] * 2
    assert {len(row) for row in rows} == {4}
    odd = next(row for row in rows if "odd" in _plain(row[2]))
    shown = "".join(char if char.isprintable() else f"\\{ascii(char)[2:-1]}" for char in ODD)
    assert shown in _plain(odd[3])
    assert _plain(odd[1]) == "b/ä |`.yaml:10:14"
    kinds = {child.type for row in rows for cell in row for child in cell.children or ()}
    assert not kinds & {"image", "link_open", "em_open"}


def test_markdown_stays_within_a_comment_and_says_what_is_left_out() -> None:
    many = [result_of(MODEL, NO_MEMORY, source=f"{number}.yaml") for number in range(1000)]
    worst = result_of(MODEL, TOO_MANY, source="worst.yaml")
    text = written("markdown", [*many, worst])
    assert len(text) < 65_536
    rows = _rows(text)
    assert _plain(rows[0][1]) == "worst.yaml:10:14"
    assert f"{1001 - len(rows)} more findings didn't fit" in text


def test_of_one_huge_text_the_beginning_is_shown() -> None:
    text = written("markdown", [result_of(MODEL, replace(TOO_MANY, message="x" * 100_000), NO_MEMORY)])
    assert len(_rows(text)) == 2
    assert len(text) < 10_000
