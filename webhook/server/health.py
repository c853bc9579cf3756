"""The health application, on a separate port with plain HTTP, separate limits, and no certificates for kubelet and Prometheus.

``/livez`` and ``/healthz`` say whether the loop that judges is alive, ``/readyz`` why no calls should come, ``/metrics`` is for Prometheus.
``/openapi.json`` describes these pages and the two webhooks.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request as HTTPRequest
from starlette.responses import PlainTextResponse, Response

from weighbridge import __version__
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.server.admission_v1 import schemas
from weighbridge.webhook.server.app import DirectRoute, Endpoint, admission_routes, application
from weighbridge.webhook.server.metrics import CONTENT_TYPE, MetricsPage
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.json_text import dumps

#: Longer than any review may block the loop. A loop that has been blocked this long never continues.
_STUCK_SECONDS: Final = 30.0
_TEXT: Final[JSONObject] = {"text/plain": {"schema": {"type": "string"}}}


def create_health_app(service: Service) -> FastAPI:
    """Create the application that kubelet and Prometheus call."""
    service.metrics.ready.set_function(lambda: not service.readiness.reasons)
    pages = _pages(service)
    for page in pages:
        page.methods = {"GET", "HEAD"}
    return application(pages, service.readiness)


def openapi_document(service: Service) -> JSONObject:
    """The OpenAPI document of both ports."""
    document: JSONObject = get_openapi(
        title="Weighbridge",
        version=__version__,
        summary="Admission control for LLM-serving resources on Kubernetes",
        description="The webhooks answer over TLS on the webhook's port, all else is served over plain HTTP on the health port.",
        routes=[*admission_routes(service), *_pages(service)],
    )
    return {**document, "components": {"schemas": schemas()}}


def _pages(service: Service) -> list[DirectRoute]:
    metrics_page = MetricsPage(service.metrics, service.clock)

    async def alive(_: HTTPRequest) -> Response:
        silence = 0.0 if service.last_turn is None else service.clock() - service.last_turn
        is_stuck = silence > _STUCK_SECONDS
        return PlainTextResponse(f"the loop hasn't turned for {silence:.0f} s\n" if is_stuck else "ok\n", 503 if is_stuck else 200)

    async def ready(_: HTTPRequest) -> Response:
        reasons = service.readiness.reasons
        return PlainTextResponse("".join(f"{reason}\n" for reason in reasons) or "ok\n", 503 if reasons else 200)

    async def metrics(_: HTTPRequest) -> Response:
        return Response(metrics_page.text(), media_type=CONTENT_TYPE)

    @cache
    def document() -> bytes:
        return dumps(openapi_document(service))

    async def described(_: HTTPRequest) -> Response:
        return Response(document(), media_type="application/json")

    return [
        _page("/livez", alive, "Whether the loop that judges reviews turns", can_fail=True),
        _page("/healthz", alive, "The same as /livez", can_fail=True),
        _page("/readyz", ready, "Whether new calls should come here; each line is a reason against it", can_fail=True),
        _page("/metrics", metrics, "Metrics in Prometheus' text format"),
        _page("/openapi.json", described, "This document", {"application/json": {"schema": {"type": "object"}}}),
    ]


def _page(path: str, endpoint: Endpoint, summary: str, content: JSONObject = _TEXT, *, can_fail: bool = False) -> DirectRoute:
    responses: dict[int | str, JSONObject] = {200: {"content": content}}
    if can_fail:
        responses[503] = {"description": "It isn't, and why", "content": content}
    return DirectRoute(
        path,
        endpoint,
        methods=["GET"],
        operation_id=path.strip("/").partition(".")[0],
        tags=["health"],
        summary=summary,
        responses=responses,
        response_class=Response,
        response_model=None,
    )
