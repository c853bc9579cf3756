"""One of the two webhooks: a call in, the engine's decision out.

The call is checked, read and parsed, the engine decides, the answer is written; nothing else happens here. Every way out is an answer:
a bad call gets an error, and where the engine or this code fails after the uid is known, the configured mode decides, in a review.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from starlette.requests import Request as HTTPRequest
from starlette.responses import Response

from policies.engine import Phase
from policies.findings import Decision, Severity
from policies.judgement import denial_text, failure_finding
from policies.objects import JSONObject
from webhook.calls import CallError, TurnedAway, check_media_type, read_body
from webhook.deadline import allowance
from webhook.envelope import EnvelopeError, as_request
from webhook.logs import log_decision
from webhook.review import answer, read_review
from webhook.service import Service

_log: Final = logging.getLogger("weighbridge.webhook")


class Door:
    """The mutating or the validating webhook, by its phase."""

    def __init__(self, service: Service, phase: Phase) -> None:
        self._service = service
        self._phase = phase

    async def answer(self, http: HTTPRequest) -> Response:
        """Answer one call; never raises but for being cancelled."""
        service = self._service
        service.in_flight += 1
        try:
            return await self._judged(http)
        except CallError as error:
            service.metrics.turned_away(error.reason)
            return error.response()
        except Exception:
            _log.exception("a call to the %s webhook failed", self._phase)
            service.metrics.turned_away(TurnedAway.DEFECT)
            return CallError(TurnedAway.DEFECT, "the webhook failed; its log has the details").response()
        finally:
            service.in_flight -= 1

    async def _judged(self, http: HTTPRequest) -> Response:
        service, settings = self._service, self._service.settings
        started = service.clock()
        seconds = allowance(http.scope["query_string"], settings.deadline, settings.deadline_margin)
        self._check_admittance()
        # NB: every call that has come in so far starts before this one goes on, so that calls that wait for this very loop are counted as
        # in flight and shed. Without it each would run to its end before the next one is seen, and none would ever be too many.
        await asyncio.sleep(0)
        headers = dict(http.scope["headers"])
        check_media_type(headers)
        try:
            async with asyncio.timeout(seconds):
                body = await read_body(http.receive, headers, settings.max_body)
        except TimeoutError:
            raise CallError(TurnedAway.TOO_SLOW, f"the body didn't arrive within {seconds:g} seconds") from None
        review = self._review(read_review(body), started + seconds)
        service.metrics.answered(self._phase, service.clock() - started)
        return Response(review, media_type="application/json")

    def _check_admittance(self) -> None:
        service = self._service
        if awaited := service.readiness.awaited:
            raise CallError(TurnedAway.NOT_READY, f"not ready: {awaited}")
        if service.in_flight > service.settings.concurrency:
            raise CallError(TurnedAway.SHED, f"{service.settings.concurrency} calls are being answered already")

    def _review(self, envelope: JSONObject, deadline: float) -> bytes:
        uid: str = envelope["uid"]
        try:
            return self._decided(envelope, deadline)
        except EnvelopeError as error:
            self._service.metrics.turned_away(TurnedAway.MALFORMED)
            return answer(uid, Decision(allowed=False, code=400, message=f"malformed admission request: {error}"), self._phase)
        except Exception as defect:
            _log.exception("the %s webhook failed on %s", self._phase, uid)
            self._service.metrics.engine_failed(self._phase)
            return answer(uid, self._failed(defect), self._phase)

    def _decided(self, envelope: JSONObject, deadline: float) -> bytes:
        service, phase, clock = self._service, self._phase, self._service.clock
        request = as_request(envelope)
        started = clock()
        decision = service.decide(request, service.facts_now(), service.config, phase, expired=lambda: clock() > deadline)
        seconds = clock() - started
        review = answer(request.uid, decision, phase)
        service.metrics.decided(phase, request, decision, seconds)
        log_decision(request, decision, phase, seconds * 1000)
        return review

    def _failed(self, defect: Exception) -> Decision:
        """The configured mode's decision where not the engine but the way to it or back failed."""
        finding = failure_finding(f"{type(defect).__name__} in the webhook", self._service.config)
        text = denial_text([finding])
        refused = finding.severity is Severity.ERROR
        return Decision(allowed=not refused, code=403, message=text if refused else "", warnings=() if refused else (text,))
