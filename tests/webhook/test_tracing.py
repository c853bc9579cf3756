"""Traces: one span for each call, below the API server's, with a closed set of attributes, sent to the collector that the environment
names.
"""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.types import ASGIApp

from tests.webhook.asgi import JSON_HEADERS, post
from tests.webhook.collector import collecting
from tests.webhook.reviews import Judge, review
from tests.webhook.serving import serving
from weighbridge.policies.ground.findings import Decision
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.tracing import NoTracing, OpenTelemetry, tracing_of
from weighbridge.webhook.texts.errors import InputError

_TRACE, _PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
_HEADERS = {**JSON_HEADERS, "traceparent": f"00-{_TRACE}-{_PARENT}-01"}


@pytest.fixture
def spans(service: Service) -> InMemorySpanExporter:
    """The spans of the service, read after its tracing is closed."""
    exporter = InMemorySpanExporter()
    service.tracing = OpenTelemetry(exporter)
    return exporter


def test_a_call_is_a_span_below_that_of_the_api_server(app: ASGIApp, service: Service, judge: Judge, spans: InMemorySpanExporter) -> None:
    judge.decision = Decision(allowed=False, code=403, message="no")
    assert post(app, "/validate", review(), headers=_HEADERS).status == 200
    service.tracing.close()
    (span,) = spans.get_finished_spans()
    assert span.name == "admission validate"
    assert span.parent is not None
    assert (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}") == (_TRACE, _PARENT)
    assert dict(span.attributes or {}) == {
        "weighbridge.phase": "validate",
        "weighbridge.operation": "CREATE",
        "weighbridge.kind": "Model",
        "weighbridge.decision": "deny",
    }


@pytest.mark.parametrize("header", ["", "00-1-2-3", "x" * 1000])
def test_a_header_that_says_nothing_begins_a_trace(app: ASGIApp, service: Service, spans: InMemorySpanExporter, header: str) -> None:
    assert post(app, "/mutate", review(), headers={**JSON_HEADERS, "traceparent": header}).status == 200
    service.tracing.close()
    (span,) = spans.get_finished_spans()
    assert span.parent is None


def test_a_call_that_is_turned_away_says_why(app: ASGIApp, service: Service, spans: InMemorySpanExporter) -> None:
    service.readiness.hold("cluster", "reading nodes")
    assert post(app, "/validate", review()).status == 503
    service.tracing.close()
    (span,) = spans.get_finished_spans()
    assert dict(span.attributes or {}) == {"weighbridge.turned_away": "not_ready"}


@pytest.mark.parametrize(
    "environ", [{}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "x", "OTEL_SDK_DISABLED": "true"}]
)
def test_tracing_is_off_unless_a_collector_is_named(environ: dict[str, str]) -> None:
    assert isinstance(tracing_of(environ), NoTracing)


def test_without_opentelemetry_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT is set, .+ install weighbridge\[tracing\], or unset it$"):
        tracing_of({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"})


def test_a_server_sends_its_spans_before_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        with serving(tmp_path, ["--drain-seconds", "0"]) as server:
            assert server.call(review())[0] == 200
            server.process.terminate()
            assert server.wait() == 0
    assert collector.spans == [("weighbridge", "admission validate")]


def test_a_collector_that_is_away_costs_no_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with serving(tmp_path, ["--drain-seconds", "0"]) as server:
        assert [server.call(review())[0] for _ in range(3)] == [200] * 3
