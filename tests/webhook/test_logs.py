"""What is logged about a decision, and what never is."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import post
from tests.webhook.reviews import UID, Judge, model, review
from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.webhook.texts.logs import JSONFormatter


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """The process's log."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JSONFormatter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def _lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_refusal_is_one_line_that_says_what_was_refused_and_why(app: ASGIApp, judge: Judge, log: io.StringIO) -> None:
    findings = [
        Finding(rule, severity, (), "m") for rule, severity in (("X-2", Severity.ERROR), ("X-1", Severity.WARNING), ("X-3", Severity.NOTE))
    ]
    judge.decision = Decision(allowed=False, code=403, message="no", findings=findings)
    post(app, "/validate", review(dryRun=True))
    (line,) = _lines(log)
    assert line.pop("ms") >= 0
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "weighbridge.decisions",
        "message": "decision",
        "uid": UID,
        "phase": "validate",
        "operation": "CREATE",
        "kind": "inference.llmkube.dev/v1alpha1 Model",
        "namespace": "team-a",
        "name": "llama",
        "decision": "deny",
        "rules": ["X-1", "X-2"],
        "dryRun": True,
    }


def test_mutation_is_logged_with_its_paths_but_not_its_values(app: ASGIApp, judge: Judge, log: io.StringIO) -> None:
    judge.decision = Decision(allowed=True, code=201, patch=[{"op": "add", "path": "/spec/token", "value": "hunter2"}])
    post(app, "/mutate", review(model(name=None, password="swordfish"), name=""))
    (line,) = _lines(log)
    assert (line["decision"], line["name"], line["patched"]) == ("mutate", "llama-*", ["/spec/token"])
    assert "hunter2" not in log.getvalue()
    assert "swordfish" not in log.getvalue()


def test_plain_admission_is_not_logged(app: ASGIApp, log: io.StringIO) -> None:
    post(app, "/validate", review())
    assert log.getvalue() == ""


def test_line_breaks_in_a_name_stay_inside_the_line(app: ASGIApp, judge: Judge, log: io.StringIO) -> None:
    judge.decision = Decision(allowed=False, code=403, message="no")
    post(app, "/validate", review(name='a\n{"level":"info"}', uid="u\r\nv"))
    (line,) = _lines(log)
    assert (line["name"], line["uid"]) == ('a\n{"level":"info"}', "u\r\nv")


def test_traceback_is_part_of_its_line(app: ASGIApp, judge: Judge, log: io.StringIO) -> None:
    judge.decision = KeyError("missing")
    post(app, "/validate", review())
    (line,) = _lines(log)
    assert line["level"] == "error"
    assert line["traceback"].splitlines()[-1] == "KeyError: 'missing'"
