"""The HTTP application of the webhook: ``POST /mutate`` and ``POST /validate``, nothing else.

The routes are plain ones that take a request and give a response: validated body models, middleware that wraps each request in a task,
and thread pools cost more than a decision does.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from weighbridge.webhook.cluster.registration import PATHS
from weighbridge.webhook.server.calls import error_response
from weighbridge.webhook.server.door import Door
from weighbridge.webhook.server.service import Readiness, Service


def create_app(service: Service) -> FastAPI:
    """The application that kube-apiserver talks to."""
    service.metrics.in_flight.set_function(lambda: service.in_flight)
    service.metrics.bodies_arriving.set_function(lambda: len(service.bodies))
    routes = [Route(path, Door(service, phase).answer, methods=["POST"]) for phase, path in PATHS.items()]
    return application(routes, service.readiness)


def application(routes: Sequence[Route], readiness: Readiness) -> FastAPI:
    """An application of these routes with every error as JSON and without pages of its own."""
    return FastAPI(
        routes=list(routes),
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
        middleware=[Middleware(CloseWhileDraining, readiness)],
        exception_handlers={HTTPException: _as_json, Exception: _defect},
    )


class CloseWhileDraining:
    """Asks every client to close its connection once the server drains, so that none is idle and in use again when it ends."""

    def __init__(self, app: ASGIApp, readiness: Readiness) -> None:
        self._app = app
        self._readiness = readiness

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_closing(message: Message) -> None:
            if message["type"] == "http.response.start" and self._readiness.draining:
                message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        await self._app(scope, receive, send_closing)


async def _as_json(_: HTTPRequest, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    return error_response(error.status_code, error.detail, dict(error.headers or {}))


async def _defect(_: HTTPRequest, __: Exception) -> Response:
    """The answer to what no handler caught; it is raised again after it, which logs it."""
    return error_response(500, "the webhook failed; its log has the details")
