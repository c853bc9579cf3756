"""What is counted and logged of a decision, in both modes, in the loop and in a copy of the process."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import post
from tests.webhook.reviews import UID, Judge, model, review
from weighbridge.policies.config import Configuration
from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.server.decision_log import log_decision
from weighbridge.webhook.server.metrics import Metrics, MetricsPage, outcome_of
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.logs import FIELDS

MODEL = GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model")
PATCH: list[JSONObject] = [{"op": "add", "path": "/spec/a", "value": 1}, {"op": "add", "path": "/spec/b", "value": 2}]
REFUSED = Decision(allowed=False, code=403, message="no")
ALLOWED = Decision(allowed=True, code=201)
MUTATED = Decision(allowed=True, code=201, patch=PATCH)


@pytest.mark.parametrize(
    ("decision", "outcome", "in_audit"),
    [(REFUSED, "deny", "would-deny"), (ALLOWED, "allow", "allow"), (MUTATED, "mutate", "would-mutate")],
)
def test_an_outcome_is_one_word(decision: Decision, outcome: str, in_audit: str) -> None:
    assert (outcome_of(decision), outcome_of(decision, is_audit=True)) == (outcome, in_audit)


def a_request(obj: JSONObject | None, name: str = "", *, dry_run: bool = False) -> Request:
    return Request("uid", Operation.CREATE, MODEL, obj, namespace="team-a", name=name, dry_run=dry_run)


FINDINGS = [
    Finding("LLMKUBE-002", Severity.ERROR, ("spec",), "is wrong"),
    Finding("LLMKUBE-001", Severity.WARNING, ("spec",), "is odd"),
    Finding("LLMKUBE-001", Severity.WARNING, ("metadata",), "is odd"),
    Finding("LLMKUBE-003", Severity.NOTE, ("spec",), "is let be", exempted="LLMKUBE-003"),
    Finding("LLMKUBE-004", Severity.NOTE, ("spec",), "is noted"),
]


@pytest.mark.parametrize("is_audit", [False, True])
def test_each_finding_is_counted_by_what_it_leads_to(is_audit: bool) -> None:
    metrics = Metrics()
    decision = Decision(allowed=False, code=403, findings=FINDINGS)
    labels = metrics.decided(Phase.VALIDATE, a_request(model()), decision, 0.5, is_audit=is_audit)
    denied = "would-deny" if is_audit else "deny"
    assert labels == {"phase": "validate", "operation": "CREATE", "kind": "Model", "decision": denied}
    counted = {
        (sample.labels["rule"], sample.labels["result"]): sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
        if sample.name == "weighbridge_findings_total"
    }
    assert counted == {
        ("LLMKUBE-002", denied): 1,
        ("LLMKUBE-001", "warn"): 2,
        ("LLMKUBE-003", "exempted"): 1,
        ("LLMKUBE-004", "audit"): 1,
    }
    assert metrics.registry.get_sample_value("weighbridge_decision_duration_seconds_sum", {"phase": "validate"}) == 0.5
    assert metrics.registry.get_sample_value("weighbridge_engine_failures_total", {"phase": "validate"}) == 0
    assert metrics.registry.get_sample_value("weighbridge_patch_operations_total") == 0


def test_a_page_is_rendered_again_once_it_is_older_than_a_second() -> None:
    now = 10.0
    page = MetricsPage(Metrics(), lambda: now)

    first = page.text()
    now = 11.0
    assert page.text() is first
    now = 11.001
    assert page.text() is not first


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, Any]]:
    """The lines of decisions."""
    return [(record.message, getattr(record, FIELDS)) for record in caplog.records if record.name == "weighbridge.decisions"]


LINE = {
    "uid": "uid",
    "phase": "mutate",
    "operation": "CREATE",
    "kind": str(MODEL),
    "namespace": "team-a",
    "name": "llama",
    "decision": "deny",
    "rules": [],
    "ms": 1.235,
}


@pytest.mark.parametrize(
    ("request_", "decision", "more"),
    [
        (a_request(model(), "llama"), REFUSED, {}),
        (a_request(None, "llama", dry_run=True), REFUSED, {"dryRun": True}),
        (a_request(model(None)), REFUSED, {"name": "llama-*"}),
        (a_request({"metadata": {"generateName": 7}}), REFUSED, {"name": ""}),
        (a_request({"metadata": {"generateName": ""}}), REFUSED, {"name": ""}),
        (a_request(model(None), "llama"), MUTATED, {"decision": "mutate", "patched": ["/spec/a", "/spec/b"]}),
        (
            a_request(None, "llama"),
            Decision(allowed=False, code=403, findings=FINDINGS),
            {"rules": ["LLMKUBE-001", "LLMKUBE-002"]},
        ),
    ],
)
def test_a_decision_is_logged_with_its_rules_and_paths(
    caplog: pytest.LogCaptureFixture, request_: Request, decision: Decision, more: JSONObject
) -> None:
    caplog.set_level(logging.INFO, "weighbridge.decisions")
    log_decision(request_, decision, Phase.MUTATE, 1.23456)
    assert logged(caplog) == [("decision", {**LINE, **more})]


def test_what_is_not_worth_a_line_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "weighbridge.decisions")
    log_decision(a_request(model()), ALLOWED, Phase.MUTATE, 1.0)
    log_decision(a_request(model()), ALLOWED, Phase.MUTATE, 1.0, is_audit=True)
    caplog.set_level(logging.WARNING, "weighbridge.decisions")
    log_decision(a_request(model()), REFUSED, Phase.MUTATE, 1.0)
    assert logged(caplog) == []


@pytest.mark.parametrize("mode", ["deny", "audit"])
def test_a_long_review_is_told_of_as_a_short_one(
    app: ASGIApp, service: Service, judge: Judge, caplog: pytest.LogCaptureFixture, mode: str
) -> None:
    caplog.set_level(logging.INFO, "weighbridge.decisions")
    service.config = Configuration(mode="audit" if mode == "audit" else "deny")
    judge.decision = Decision(allowed=False, code=403, message="no", findings=FINDINGS, object=model())
    answers = [post(app, "/validate", review(model(None, x=[0] * size), name="")) for size in (1, 3_000)]
    assert answers[0].json == answers[1].json
    (_, short), (_, long) = logged(caplog)
    assert {**long, "ms": 0} == {**short, "ms": 0}
    assert (short["uid"], short["name"], short["decision"]) == (UID, "llama-*", "would-deny" if mode == "audit" else "deny")
    labels = {"phase": "validate", "operation": "CREATE", "kind": "Model", "decision": short["decision"]}
    assert service.metrics.registry.get_sample_value("weighbridge_decisions_total", labels) == 2
