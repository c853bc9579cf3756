"""The result of one check of an installation, as reports have it and as `weighbridge doctor` shows it."""

from __future__ import annotations

import json

import pytest

from tests.command_line import run
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.doctor import examination
from weighbridge.webhook.doctor.check import Check, Health, ok, problem, unknown


@pytest.mark.parametrize(
    ("check", "health", "as_json"),
    [
        (ok("pods", "2 of 2 run"), Health.OK, {"check": "pods", "health": "ok", "found": "2 of 2 run"}),
        (
            problem("pods", "none runs", "kubectl get pods"),
            Health.PROBLEM,
            {"check": "pods", "health": "problem", "found": "none runs", "run": "kubectl get pods"},
        ),
        (unknown("pods", "forbidden"), Health.UNKNOWN, {"check": "pods", "health": "unknown", "found": "forbidden"}),
        (
            unknown("pods", "forbidden", "kubectl auth can-i"),
            Health.UNKNOWN,
            {"check": "pods", "health": "unknown", "found": "forbidden", "run": "kubectl auth can-i"},
        ),
    ],
)
def test_a_result_names_what_to_run_only_where_there_is_something(check: Check, health: Health, as_json: JSONObject) -> None:
    assert check.health is health
    assert check.as_json() == as_json
    assert [*check.as_json()] == [*as_json]


CHECKS = [ok("pods", "2 of 2 run"), unknown("rights", "for\x1b[31mbidden"), problem("Service", "none", "kubectl\tget svc")]
LINES = """\
ok       pods: 2 of 2 run
unknown  rights: for\\x1b[31mbidden
problem  Service: none
         run: kubectl get svc
"""


@pytest.mark.parametrize(
    ("checks", "code", "lines"), [(CHECKS, 1, LINES), (CHECKS[:2], 0, "".join(LINES.splitlines(keepends=True)[:2])), ([], 0, "\n")]
)
def test_only_a_problem_is_an_exit_code(monkeypatch: pytest.MonkeyPatch, checks: list[Check], code: int, lines: str) -> None:
    asked: list[tuple[str | None, ...]] = []

    async def examine(*arguments: str | None) -> list[Check]:
        asked.append(arguments)
        return checks

    monkeypatch.setattr(examination, "examine", examine)
    found = run("doctor")
    assert (found.returncode, found.stdout, found.stderr) == (code, lines, "")
    found = run("doctor", "--kubeconfig", "file", "--context", "there", "--name", "ours", "-o", "json")
    assert (found.returncode, json.loads(found.stdout)) == (code, [check.as_json() for check in checks])
    assert asked == [(None, None, "weighbridge"), ("file", "there", "ours")]
