"""The health application, on a plain-HTTP port of its own: kubelet and Prometheus have no certificate and share no limits with the webhook.

``/livez`` and ``/healthz`` say whether the loop that judges turns, ``/readyz`` why no calls should come, ``/metrics`` is for Prometheus.
"""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from starlette.requests import Request as HTTPRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from weighbridge.webhook.server.app import application
from weighbridge.webhook.server.metrics import CONTENT_TYPE, MetricsPage
from weighbridge.webhook.server.service import Service

#: Longer than any review may hold the loop; one that doesn't turn for so long never will.
_STUCK_SECONDS: Final = 30.0


def create_health_app(service: Service) -> FastAPI:
    """The application that kubelet and Prometheus talk to."""
    page = MetricsPage(service.metrics, service.clock)
    service.metrics.ready.set_function(lambda: not service.readiness.reasons)

    async def alive(_: HTTPRequest) -> Response:
        silence = 0.0 if service.last_turn is None else service.clock() - service.last_turn
        is_stuck = silence > _STUCK_SECONDS
        return PlainTextResponse(f"the loop hasn't turned for {silence:.0f} s\n" if is_stuck else "ok\n", 503 if is_stuck else 200)

    async def ready(_: HTTPRequest) -> Response:
        reasons = service.readiness.reasons
        return PlainTextResponse("".join(f"{reason}\n" for reason in reasons) or "ok\n", 503 if reasons else 200)

    async def metrics(_: HTTPRequest) -> Response:
        return Response(page.text(), media_type=CONTENT_TYPE)

    routes = [Route("/livez", alive), Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics)]
    return application(routes, service.readiness)
