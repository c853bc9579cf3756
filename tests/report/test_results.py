"""Statuses and counts."""

from __future__ import annotations

import dataclasses
import inspect
import io
import pkgutil
from types import ModuleType

import pytest

from tests.report.objects import MODEL, NO_INVENTORY, NO_MEMORY, TOO_MANY, result_of
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.webhook import dry_run_report, report
from weighbridge.webhook.manifests import Standing
from weighbridge.webhook.report import FORMATS, Result, Status, Style, Summary, Tally

NOTE = Finding("WB-001", Severity.NOTE, (), "by the way")


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (result_of(MODEL), Status.PASSED),
        (result_of(MODEL, NOTE), Status.PASSED),
        (result_of(MODEL, NOTE, unchecked=[NO_INVENTORY]), Status.NOT_CHECKED),
        (result_of(MODEL, NO_MEMORY, unchecked=[NO_INVENTORY]), Status.WARNED),
        (result_of(MODEL + "kind: Model\n"), Status.WARNED),
        (result_of(MODEL + "kind: Model\n", NO_MEMORY, TOO_MANY), Status.FAILED),
        (result_of("a: ["), Status.ERROR),
    ],
)
def test_worst_of_all_is_the_status(result: Result, status: Status) -> None:
    assert result.status is status


def test_text_is_kept_only_where_something_is_said() -> None:
    assert result_of(MODEL).lines == ()
    assert result_of(MODEL, NOTE).lines[1] == "kind: Model"


def test_tally_counts_objects_by_status_and_documents_passed_over() -> None:
    tally = Tally()
    tally.files = 2
    for result in (result_of(MODEL), result_of(MODEL, TOO_MANY), result_of(MODEL, NO_MEMORY), result_of("a: [")):
        tally.add(result)
    tally.add(result_of(MODEL, unchecked=[NO_INVENTORY]))
    for standing in (Standing.TEMPLATE, Standing.OTHER, Standing.OTHER, Standing.EMPTY):
        tally.pass_over(standing)
    assert tally.summary() == Summary(
        files=2, objects=4, passed=1, failed=1, warned=1, not_checked=1, errors=1, templates=1, others=2, not_fully_checked=1
    )


def test_summary_counts_each_result_once() -> None:
    names = {field.name for field in dataclasses.fields(Summary)}
    assert {str(status).replace(" ", "_").replace("error", "errors") for status in Status} <= names


def test_every_format_has_a_sentence_for_the_help() -> None:
    assert all(inspect.getdoc(type(make(io.StringIO(), Style()))) for make in FORMATS.values())


@pytest.mark.parametrize("room", [report, dry_run_report])
def test_each_module_of_the_room_is_a_format(room: ModuleType) -> None:
    assert {module.name for module in pkgutil.iter_modules(room.__path__) if not module.ispkg} == set(room.FORMATS)
