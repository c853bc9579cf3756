"""Traces of the calls, for OpenTelemetry: one span per call, below the API server's own span if it has one.

Tracing is on if `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` names a collector; the other variables of
OpenTelemetry's SDK apply, too. A span has the labels of the metrics, and neither names nor contents of objects.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from weighbridge.webhook.texts.errors import InputError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

#: Sets the attributes of a call's span.
Note: TypeAlias = Callable[[Mapping[str, str]], None]
_VARIABLES: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_OFF: Final = "OTEL_SDK_DISABLED"


class Tracing(Protocol):
    """Makes the spans of calls."""

    def call(self, name: str, headers: Mapping[str, str]) -> AbstractContextManager[Note]:
        """Open the span of one call, whose headers may name a parent; it ends with the block."""

    def close(self) -> None:
        """Send the spans that haven't been sent yet."""


class NoTracing:
    """Makes no spans."""

    def call(self, name: str, headers: Mapping[str, str]) -> AbstractContextManager[Note]:
        """Do nothing."""
        return nullcontext(_ignore)

    def close(self) -> None:
        """Do nothing."""


def _ignore(_: Mapping[str, str]) -> None:
    pass


def tracing_of(environ: Mapping[str, str] = os.environ) -> Tracing:
    """The tracing that the environment asks for. Raises InputError if it asks for traces and OpenTelemetry isn't installed."""
    variable = next((name for name in _VARIABLES if environ.get(name)), None)
    if variable is None or environ.get(_OFF, "").lower() == "true":
        return NoTracing()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise InputError(f"{variable} is set, and OpenTelemetry isn't installed; install weighbridge[tracing], or unset it") from None
    return OpenTelemetry(OTLPSpanExporter())


class OpenTelemetry:
    """Makes spans with OpenTelemetry's SDK, which sends them in batches from a separate thread."""

    def __init__(self, exporter: SpanExporter) -> None:
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        named = os.environ.get("OTEL_SERVICE_NAME") or "weighbridge"
        # NB: the provider ends with the server, which closes it, and not with the interpreter.
        self._provider = TracerProvider(resource=Resource.create({SERVICE_NAME: named}), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("weighbridge")

    @contextmanager
    def call(self, name: str, headers: Mapping[str, str]) -> Iterator[Note]:
        """Open the span of one call; if the call ends with an error, the span says so."""
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        parent = TraceContextTextMapPropagator().extract(dict(headers))
        with self._tracer.start_as_current_span(name, parent, SpanKind.SERVER) as span:
            yield lambda attributes: span.set_attributes(_named(attributes))

    def close(self) -> None:
        """Send the spans that haven't been sent yet."""
        self._provider.shutdown()


def _named(attributes: Mapping[str, str]) -> dict[str, Any]:
    return {f"weighbridge.{name}": value for name, value in attributes.items()}
