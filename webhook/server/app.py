"""The HTTP application of the webhook (``POST /mutate`` and ``POST /validate``), and parts that the health application uses, too.

FastAPI routes the calls, answers calls without a route, and describes the routes in an OpenAPI document. The endpoints read and write the
bodies themselves: FastAPI's own handling would add 35 µs of CPU to a call, which takes 150 µs without the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, TypeAlias

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.cluster.registration import PATHS
from weighbridge.webhook.server.admission_v1 import AdmissionReview, CallFailure, reference
from weighbridge.webhook.server.calls import STATUS, TurnedAway, error_response
from weighbridge.webhook.server.door import Door
from weighbridge.webhook.server.service import Readiness, Service

Endpoint: TypeAlias = Callable[[HTTPRequest], Coroutine[Any, Any, Response]]
_TIMEOUT: Final[JSONObject] = {
    "name": "timeout",
    "in": "query",
    "description": "How long the API server waits for the answer, as Go writes durations.",
    "schema": {"type": "string"},
    "example": "3s",
}
_SUMMARIES: Final = {
    Phase.MUTATE: "Fill in what the author of an object left open",
    Phase.VALIDATE: "Judge an object",
}


class DirectRoute(APIRoute):
    """A route whose endpoint gets the unparsed request, and returns the response itself."""

    def __init__(self, path: str, endpoint: Endpoint, **settings: Any) -> None:
        super().__init__(path, endpoint, **settings)
        self.app = _directly(endpoint)


def _directly(endpoint: Endpoint) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await endpoint(HTTPRequest(scope, receive, send))
        await response(scope, receive, send)

    return app


def create_app(service: Service) -> FastAPI:
    """Create the application that kube-apiserver calls."""
    service.metrics.in_flight.set_function(lambda: service.in_flight)
    service.metrics.bodies_arriving.set_function(lambda: len(service.bodies))
    return application(admission_routes(service), service.readiness)


def admission_routes(service: Service) -> list[DirectRoute]:
    """The routes of the webhook's port."""
    return [_route(Door(service, phase), phase, path) for phase, path in PATHS.items()]


def _route(door: Door, phase: Phase, path: str) -> DirectRoute:
    return DirectRoute(
        path,
        door.answer,
        methods=["POST"],
        operation_id=phase,
        tags=["admission"],
        summary=_SUMMARIES[phase],
        description="The call that kube-apiserver makes for a webhook.",
        responses={
            200: {"description": "The decision; a refusal is one, too.", "content": reference(AdmissionReview)},
            **{status: _failure(status) for status in sorted(set(STATUS.values()))},
        },
        openapi_extra={"parameters": [_TIMEOUT], "requestBody": {"required": True, "content": reference(AdmissionReview)}},
        response_class=Response,
        response_model=None,
    )


def _failure(status: int) -> JSONObject:
    reasons = ", ".join(reason for reason in TurnedAway if STATUS[reason] == status)
    return {"description": f"Not judged: {reasons}", "content": reference(CallFailure)}


def application(routes: Iterable[DirectRoute], readiness: Readiness) -> FastAPI:
    """An application with these routes, JSON for every error, and no pages of documentation."""
    return FastAPI(
        routes=list(routes),
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
        middleware=[Middleware(CloseWhileDraining, readiness)],
        exception_handlers={HTTPException: _as_json, Exception: _defect},
    )


class CloseWhileDraining:
    """Asks every client to close its connection once the server drains, so that no idle one is used again just as the server ends."""

    def __init__(self, app: ASGIApp, readiness: Readiness) -> None:
        self._app = app
        self._readiness = readiness

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a call. While the server drains, its answer closes the connection."""

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
    """The answer to an exception that no handler caught. Starlette raises it again after this, so that it is logged."""
    return error_response(500, "the webhook failed; its log has the details")
