"""What is counted, and that no label has an unbounded number of values."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import ASGIApp

from tests.webhook.asgi import Answer, call, post
from tests.webhook.reviews import Judge, review
from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.metrics import Metrics, MetricsPage
from weighbridge.webhook.server.service import Service


def _value(service: Service, name: str, **labels: str) -> float:
    value = service.metrics.registry.get_sample_value(name, labels)
    assert value is not None, f"no sample {name} {labels}"
    return value


def test_each_decision_is_counted_by_phase_operation_kind_and_outcome(app: ASGIApp, service: Service, judge: Judge) -> None:
    def count(**labels: str) -> float:
        return _value(service, "weighbridge_decisions_total", **labels)

    post(app, "/validate", review())
    judge.decision = Decision(allowed=False, code=403, message="no")
    post(app, "/validate", review(operation="UPDATE"))
    judge.decision = Decision(allowed=True, code=201, patch=[{"op": "add", "path": "/spec/a", "value": 1}] * 3)
    post(app, "/mutate", review())
    assert count(phase="validate", operation="CREATE", kind="Model", decision="allow") == 1
    assert count(phase="validate", operation="UPDATE", kind="Model", decision="deny") == 1
    assert count(phase="mutate", operation="CREATE", kind="Model", decision="mutate") == 1
    assert _value(service, "weighbridge_patch_operations_total") == 3
    assert _value(service, "weighbridge_call_duration_seconds_count", phase="validate") == 2
    assert _value(service, "weighbridge_decision_duration_seconds_count", phase="mutate") == 1


def test_kinds_of_no_family_share_one_label(app: ASGIApp, service: Service) -> None:
    for number in range(20):
        post(app, "/validate", review(kind={"group": "example.com", "version": "v1", "kind": f"Kind{number}"}))
    samples = [
        s for m in service.metrics.registry.collect() if m.name == "weighbridge_decisions" for s in m.samples if s.name.endswith("_total")
    ]
    assert [(sample.labels["kind"], sample.value) for sample in samples] == [("other", 20)]


@pytest.mark.parametrize(
    ("reason", "body", "headers"),
    [
        ("malformed", b"{", {"content-type": "application/json"}),
        ("malformed", review(operation="?"), {"content-type": "application/json"}),
        ("media_type", review(), {"content-type": "text/plain"}),
        ("too_large", b" " * 100_001, {"content-type": "application/json"}),
    ],
)
def test_calls_turned_away_are_counted_by_reason(app: ASGIApp, service: Service, reason: str, body: bytes, headers: dict[str, str]) -> None:
    post(app, "/validate", body, headers=headers)
    assert _value(service, "weighbridge_calls_turned_away_total", reason=reason) == 1


def test_shed_calls_are_counted(app: ASGIApp, service: Service) -> None:
    async def crowd() -> list[Answer]:
        return await asyncio.gather(*(call(app, "/validate", review()) for _ in range(7)))

    assert _value(service, "weighbridge_calls_turned_away_total", reason="shed") == 0
    asyncio.run(crowd())
    assert _value(service, "weighbridge_calls_turned_away_total", reason="shed") == 3
    assert _value(service, "weighbridge_calls_in_flight") == 0


@pytest.mark.parametrize(
    "decision",
    [
        Decision(allowed=True, code=201, findings=[Finding("WB-000", Severity.WARNING, (), "rule X-1 failed with KeyError")]),
        ValueError("defect"),
    ],
    ids=["in a rule", "around the engine"],
)
def test_failures_of_ours_are_counted(app: ASGIApp, service: Service, judge: Judge, decision: Decision | Exception) -> None:
    judge.decision = decision
    post(app, "/validate", review())
    assert _value(service, "weighbridge_engine_failures_total", phase="validate") == 1
    assert _value(service, "weighbridge_engine_failures_total", phase="mutate") == 0


def test_page_is_prometheus_text(app: ASGIApp, service: Service) -> None:
    post(app, "/mutate", review())
    answer = post(create_health_app(service), "/metrics", b"", method="GET")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    names = {family.name for family in text_string_to_metric_families(answer.body.decode())}
    assert {"weighbridge_decisions", "weighbridge_ready", "process_resident_memory_bytes"} <= names


def test_page_is_rendered_at_most_once_a_second() -> None:
    metrics, now = Metrics(), 10.0
    page = MetricsPage(metrics, lambda: now)

    first = page.text()
    metrics.certificate_read(loaded=True)
    assert page.text() is first
    now += 1.5
    assert b'weighbridge_certificate_reloads_total{result="loaded"} 1.0' in page.text()


def test_every_metric_says_what_it_is() -> None:
    assert [family.name for family in Metrics().registry.collect() if not family.documentation] == []
