"""Verdicts as text for people, whole outputs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report.verdicts import POD, VERBOSE, finding, verdict, written
from weighbridge.webhook.dry_run_report import Verdict
from weighbridge.webhook.texts.style import Style

MADE: dict[str, Any] = {
    "status": {"phase": "Pending"},
    "objects": [{"kind": "Deployment", "metadata": {"name": "web"}}, {"kind": "Service", "metadata": {"name": "web"}}],
    "values": [
        {"object": "Deployment/web", "field": "spec.template.spec.a", "value": {"x": 1}, "source": "operator", "reason": "why"},
        {"object": "Deployment/web", "field": "spec.replicas", "value": 1, "source": "operator", "reason": ""},
        {"object": "Deployment/web", "field": "spec.template.spec.c[0].args[1]", "value": 1, "source": "operator", "reason": ""},
    ],
    "settings": [],
    "events": [{"reason": "Bad", "note": "it is"}],
}
NOTHING = {**MADE, "status": {}, "objects": []}
MADE_LINE = "  the operator makes Deployment web, Service web and sets phase Pending\n"
FINDINGS = [
    finding("note", "first"),
    finding("warning", "odd", found="1", hint="do"),
    finding("note", "second", exempted="by x"),
    finding("error", "it is 7", found="7", expected="8", nearest="node-1"),
    finding("note", "third"),
]


def _table(rows: list[list[str]]) -> dict[str, Any]:
    return {**MADE, "tables": [{"title": "candidates:", "columns": ["name", "why"], "rows": rows}]}


def _told(each: Verdict, style: Style | None = None) -> str:
    """The text below the first line."""
    text = written("text", each, style=style or Style(width=200))
    head = "Pod shop/web: allowed\n"
    assert text.startswith(head)
    assert text.endswith("\n\n")
    return text[len(head) : -1]


@pytest.mark.parametrize(
    ("effective", "expected"),
    [
        (MADE, MADE_LINE),
        ({**MADE, "status": {}}, "  the operator makes Deployment web, Service web\n"),
        ({**MADE, "objects": []}, "  the operator sets phase Pending\n"),
        (
            {**MADE, "status": {}, "objects": [*MADE["objects"], {**MADE["objects"][1], "apiVersion": "example.com/v1"}]},
            "  the operator makes Deployment web, Service web, Service.example.com web\n",
        ),
        (NOTHING, "  the operator creates nothing for it\n"),
        ({**MADE, "failure": "no image"}, f"{MADE_LINE}    it fails: no image\n"),
        ({**MADE, "waits": "the agent writes it"}, f"{MADE_LINE}    it waits: the agent writes it\n"),
        ({**NOTHING, "unchecked": [{"subject": "s", "reason": "r"}]}, "  not predicted: s: r\n"),
    ],
)
def test_what_the_operator_makes_is_told_in_a_line(effective: dict[str, Any], expected: str) -> None:
    assert _told(verdict(effective=effective)) == expected


def test_every_detail_of_a_prediction_is_told_on_demand() -> None:
    assert _told(verdict(effective=MADE), VERBOSE) == (
        f'{MADE_LINE}    event Bad: it is\n    Deployment a: {{"x":1}} (operator: why)\n    Deployment replicas: 1 (operator)\n'
    )
    assert _told(verdict(effective=MADE, allowed=True, message="as it is")) == f"  as it is\n{MADE_LINE}"


@pytest.mark.parametrize(("count", "more"), [(20, ""), (21, "    and 1 more (-v shows them)\n"), (43, "    and 23 more (-v shows them)\n")])
def test_a_table_has_twenty_rows_unless_all_are_asked_for(count: int, more: str) -> None:
    each = verdict(effective=_table([[f"c{number}", "x"] for number in range(count)]))
    head = f"{MADE_LINE}    candidates:\n    name  why\n"
    assert _told(each) == head + "".join(f"    {f'c{number}':6}x\n" for number in range(20)) + more
    assert _told(each, VERBOSE).startswith(head + "".join(f"    {f'c{number}':6}x\n" for number in range(count)) + "    event")


def test_a_wide_choice_is_told_by_its_first_rows() -> None:
    (table,) = _table([[f"c{number}", "x"] for number in range(60)])["tables"]
    each = verdict(effective={**MADE, "tables": [{**table, "first": 1, "rest": "of 60; 59 don't fit"}]})
    head = f"{MADE_LINE}    candidates:\n    name  why\n"
    assert _told(each) == f"{head}    c0    x\n    of 60; 59 don't fit (-v shows why)\n"
    assert "c59" in _told(each, VERBOSE)
    assert "of 60" not in _told(each, VERBOSE)
    shown = [line for line in written("effective", each).splitlines() if line.startswith(("# c", "# of"))]
    assert shown == ["# candidates:", "# c0    x", "# of 60; 59 don't fit (-v shows why)"]
    assert "# c59   x" in written("effective", each, style=VERBOSE)


def test_a_table_is_as_wide_as_the_terminal() -> None:
    each = verdict(effective={**_table([["n" * 20, "words " * 12]]), "status": {}})
    assert _told(each, Style(width=60)) == (
        "  the operator makes Deployment web, Service web\n"
        "    candidates:\n"
        "    name                  why\n"
        f"    {'n' * 20}  words words words words words\n"
        f"    {' ' * 20}  words words words words words\n"
        f"    {' ' * 20}  words words\n"
    )


@pytest.mark.parametrize(
    ("feasible", "rejected", "expected"),
    [
        (5, {}, "  5 of 5 nodes could run it: n0, n1, n2, n3, n4\n"),
        (6, {}, "  6 of 6 nodes could run it: n0, n1, n2, n3, n4 and 1 more\n"),
        (7, {"a": ["x"], "b": ["x"], "c": ["x"]}, "  7 of 10 nodes could run it: n0, n1, n2, n3, n4 and 2 more\n"),
        (0, {"a": ["x"]}, ""),
    ],
)
def test_five_nodes_are_named_and_the_others_counted(feasible: int, rejected: dict[str, list[str]], expected: str) -> None:
    placement = {"feasible": [f"n{number}" for number in range(feasible)], "rejected": rejected, "message": "none", "outlook": "now"}
    assert _told(verdict(placement=placement)) == expected


def test_why_nodes_are_out_of_the_question_is_told_on_demand() -> None:
    rejected = {"a": ["too small"], "b": ["too small"], "c": ["no GPU", "tainted"]}
    placement = {"feasible": [], "rejected": rejected, "message": "0/3 nodes", "outlook": "now"}
    assert _told(verdict(placement=placement), VERBOSE) == (
        "  kube-scheduler: 0/3 nodes\n  not a, b: too small\n  not c: no GPU, tainted\n"
    )


def test_the_most_severe_finding_comes_first_and_the_rest_is_counted() -> None:
    refused = verdict(findings=FINDINGS, allowed=False, code=403, message="refused by")
    severe = (
        "  error[WB-001] spec.a: it is 7\n      expected: 8\n      nearest: node-1\n"
        "  warning[WB-001] spec.a: odd\n      found: 1\n      hint: do\n"
    )
    assert written("text", refused, passed_over={}) == (
        f"Pod shop/web: refused (403)\n{severe}\n0 allowed, 1 refused, 2 notes (-v shows them), 1 excepted\n"
    )
    assert written("text", refused, style=VERBOSE, passed_over={}) == (
        f"Pod shop/web: refused (403)\n  refused by\n{severe}"
        "  note[WB-001] spec.a: first\n  note[WB-001] spec.a: second\n      exempted: by x\n  note[WB-001] spec.a: third\n"
        "\n0 allowed, 1 refused, 2 notes, 1 excepted\n"
    )


def test_the_last_line_counts_each_outcome() -> None:
    outcomes = [
        verdict(),
        verdict(),
        verdict(unchecked=[{"subject": "hardware", "reason": "none is known"}]),
        verdict(allowed=False, code=422),
        verdict(allowed=False, code=422, unchecked=[{"subject": "hardware", "reason": "none is known"}]),
        verdict(neverRuns=True, unchecked=[{"subject": "hardware", "reason": "none is known"}]),
        verdict(skipped="another's"),
        verdict(unchecked=[{"subject": str(POD), "reason": "no CRD"}]),
        verdict(error="broken", allowed=False),
        verdict(error="broken", allowed=False),
    ]
    last = written("text", *outcomes, passed_over={"template": 1, "other document": 2, "empty document": 0}).splitlines()[-1]
    assert last == (
        "3 allowed, 2 refused, 1 that no node can run, 3 of them not fully checked, 2 errors, 1 not checked, 1 skipped, "
        "1 template passed over, 2 other documents passed over"
    )


REASON = "LLM-1 a rather long reason that has many words in it so that it wraps around"
CHANGED = verdict(
    given={"spec": {"a": 1}},
    object={"spec": {"a": 1, "b": 2}},
    provenance=[{"field": "spec.b", "value": 2, "source": "weighbridge", "reason": REASON}],
)


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (104, [f"    +  b: 2  # weighbridge: {REASON}"]),
        (103, ["    +  b: 2", f"         # weighbridge: {REASON}"]),
        (
            60,
            [
                "    +  b: 2",
                "         # weighbridge: LLM-1 a rather long reason that has",
                "         # many words in it so that it wraps around",
            ],
        ),
        (
            40,
            [
                "    +  b: 2",
                "         # weighbridge: LLM-1 a rather",
                "         # long reason that has many",
                "         # words in it so that it wraps",
                "         # around",
            ],
        ),
    ],
)
def test_the_origin_of_a_value_goes_below_it_where_the_line_is_full(width: int, expected: list[str]) -> None:
    assert _told(CHANGED, Style(width=width)).splitlines() == ["     spec:", "       a: 1", *expected]
    assert max(map(len, expected)) <= width


def test_colours_are_those_of_the_outcome_and_of_each_line() -> None:
    text = written("text", CHANGED, verdict(findings=FINDINGS[1:2]), style=Style(width=60, color=True))
    assert text.splitlines()[:4] == [
        "\x1b[1mPod shop/web\x1b[0m: \x1b[32mallowed\x1b[0m",
        "     spec:",
        "       a: 1",
        "\x1b[32m    +  b: 2\x1b[0m",
    ]
    assert "\x1b[2m         # many words in it so that it wraps around\x1b[0m\n" in text
    assert "\x1b[33m  warning[WB-001] spec.a: odd\x1b[0m\n      found: 1\n" in text
