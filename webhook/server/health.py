"""The health application, on a plain-HTTP port of its own: kubelet and Prometheus have no certificate and share no limits with the webhook.

``/livez`` and ``/healthz`` answer as long as the loop does, ``/readyz`` says why no calls should come, ``/metrics`` is for Prometheus.
"""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request as HTTPRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from webhook.server.app import application
from webhook.server.metrics import CONTENT_TYPE, MetricsPage
from webhook.server.service import Service


def create_health_app(service: Service) -> FastAPI:
    """The application that kubelet and Prometheus talk to."""
    page = MetricsPage(service.metrics, service.clock)
    service.metrics.ready.set_function(lambda: not service.readiness.reasons)

    async def alive(_: HTTPRequest) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_: HTTPRequest) -> Response:
        reasons = service.readiness.reasons
        return PlainTextResponse("".join(f"{reason}\n" for reason in reasons) or "ok\n", 503 if reasons else 200)

    async def metrics(_: HTTPRequest) -> Response:
        return Response(await page.text(), media_type=CONTENT_TYPE)

    routes = [Route("/livez", alive), Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics)]
    return application(routes, service.readiness)
