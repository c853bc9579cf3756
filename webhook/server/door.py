"""One of the two webhooks: a call in, the engine's decision out.

The call is checked, read and parsed, the engine decides, and the answer is written; nothing else happens here. Every call gets an answer: a
bad one gets an error, and if the engine or this code fails after the uid is known, the answer is a review according to the configured mode.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from starlette.requests import Request as HTTPRequest
from starlette.responses import Response

from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import JSONObject, metadata_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase
from weighbridge.policies.verdict.judgement import denial_text, failure_finding
from weighbridge.webhook.inputs.audit_mode import let_in, would_be
from weighbridge.webhook.server.calls import CallError, TurnedAway, check_media_type
from weighbridge.webhook.server.connections.protocol import ARRIVED
from weighbridge.webhook.server.deadline import allowance
from weighbridge.webhook.server.decision_log import log_decision
from weighbridge.webhook.server.envelope import EnvelopeError, as_request
from weighbridge.webhook.server.long_reviews.copied_process import CopyFailedError, in_copy
from weighbridge.webhook.server.long_reviews.kept_verdict import Functions, packed, take
from weighbridge.webhook.server.long_reviews.slowness import Slowness, TakesLongError, Time, is_long
from weighbridge.webhook.server.review import answer, read_head, read_review
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.tracing import Note

_log: Final = logging.getLogger("weighbridge.webhook")


class Door:
    """The mutating or the validating webhook, by its phase."""

    def __init__(self, service: Service, phase: Phase) -> None:
        self._service = service
        self._phase = phase
        self._slowness = Slowness(service.warm)

    async def answer(self, http: HTTPRequest) -> Response:
        """Answer one call. The only exception that it raises is its cancellation."""
        with self._service.tracing.call(f"admission {self._phase}", http.headers) as note:
            try:
                return await self._admit(http, note)
            except CallError as error:
                self._service.metrics.turned_away(error.reason)
                note({"turned_away": error.reason})
                return error.response()
            except Exception:
                _log.exception("a call to the %s webhook failed", self._phase)
                self._service.metrics.turned_away(TurnedAway.DEFECT)
                note({"turned_away": TurnedAway.DEFECT})
                return CallError(TurnedAway.DEFECT, "the webhook failed; its log has the details").response()

    async def _admit(self, http: HTTPRequest, note: Note) -> Response:
        service, settings = self._service, self._service.settings
        started = service.clock()
        seconds = allowance(http.scope["query_string"], settings.deadline, settings.deadline_margin)
        self._check_admittance()
        headers = dict(http.scope["headers"])
        check_media_type(headers)
        body = await service.bodies.read(http.receive, headers, seconds, has_arrived=ARRIVED in http.scope)
        # While its body arrives, a call has no place among those that are being answered. Now there may be no free one.
        self._check_admittance()
        service.in_flight += 1
        try:
            review = await self._review(body, started + seconds, note)
        finally:
            service.in_flight -= 1
        service.metrics.answered(self._phase, service.clock() - started)
        return Response(review, media_type="application/json")

    def _check_admittance(self) -> None:
        service = self._service
        if awaited := service.readiness.awaited:
            raise CallError(TurnedAway.NOT_READY, f"not ready: {awaited}")
        # Reviews that wait for a copy of the process, or are judged there, take no places from the others.
        if service.in_flight - len(service.copies) >= service.settings.concurrency:
            raise CallError(TurnedAway.SHED, f"{service.settings.concurrency} calls are being answered already")

    async def _review(self, body: bytes, deadline: float, note: Note) -> bytes:
        """The review that answers a body. Raises CallError for a body that no review can answer."""
        clock, metrics = self._service.clock, self._service.metrics
        judged: _Reviewed | None = None
        started: float | None = None

        def work() -> _Reviewed:
            nonlocal started
            started = clock()
            return self._judge(body, Time(clock, deadline), in_loop=True)

        if not is_long(body):
            with suppress(TakesLongError):
                judged = await self._service.turns.take(work, len(body))
        if started is None:
            started = clock()
        if judged is None:
            judged = await self._review_in_copy(body, deadline)
        seconds = clock() - started
        if judged.is_malformed:
            metrics.turned_away(TurnedAway.MALFORMED)
        elif judged.request is None:
            metrics.engine_failed(self._phase)
        else:
            note(metrics.decided(self._phase, judged.request, judged.decision, seconds, is_audit=judged.is_audit))
            log_decision(judged.request, judged.decision, self._phase, seconds * 1000, is_audit=judged.is_audit)
        return judged.review

    async def _review_in_copy(self, body: bytes, deadline: float) -> _Reviewed:
        """Judge a body in a copy of the process. Few copies run at a time, so that a processor is left for other calls."""
        service, clock = self._service, self._service.clock
        # Until its turn comes, only the head of a long review is read: reading the whole may block the loop as long as judging it.
        head = read_head(body)

        functions: Functions = ()

        def work() -> tuple[_Reviewed, bytes] | CallError:
            service.verdicts.kept, service.verdicts.keeps_first = None, True
            try:
                judged = self._judge(body, Time(clock, deadline)).summary()
            except CallError as error:
                return error
            return judged, packed(service.verdicts, functions)

        try:
            async with asyncio.timeout(deadline - clock()), service.copies.turn(text(head, "namespace"), len(body)) as growth:
                facts, config = service.facts_now(), service.config
                functions = facts.objects.functions()
                judged = await in_copy(work, deadline - clock(), growth)
        except TimeoutError:
            return self._not_reviewed(head, "the deadline passed before the verdict was ready")
        except CopyFailedError as defect:
            _log.error("the %s webhook failed: %s", self._phase, defect)
            return self._not_reviewed(head, f"{type(defect).__name__} in the webhook")
        if isinstance(judged, CallError):
            raise judged
        reviewed, kept = judged
        if service.facts_now() is facts and service.config is config:
            take(kept, functions, service.verdicts, facts, config)
        return reviewed

    def _judge(self, body: bytes, time: Time, *, in_loop: bool = False) -> _Reviewed:
        """Judge a body. Raises TakesLongError if the review has to be judged outside of the loop."""
        phase = self._phase
        envelope = read_review(body)
        uid: str = envelope["uid"]
        try:
            request = as_request(envelope)
            return self._decide(uid, request, time, in_loop=in_loop)
        except EnvelopeError as error:
            decision = Decision(allowed=False, code=400, message=f"malformed admission request: {error}")
            return _Reviewed(answer(uid, decision, phase), decision, is_malformed=True)
        except Exception as defect:
            _log.exception("the %s webhook failed on %s", phase, uid)
            return self._fail(uid, f"{type(defect).__name__} in the webhook")

    def _decide(self, uid: str, request: Request, time: Time, *, in_loop: bool) -> _Reviewed:
        service, phase = self._service, self._phase
        facts, config = service.facts_now(), service.config
        if config.own_exceptions or config.policies is not None:
            # An object's own exceptions may end at any time, and policies may use the time.
            request = replace(request, moment=service.now())

        is_audit = config.mode == "audit"

        def work_out(facts: Facts) -> Decision:
            nonlocal time
            # A remembered verdict takes no time, however long computing it took.
            time = self._slowness.in_loop(request, time) if in_loop else time

            def decided(request: Request, phase: Phase) -> Decision:
                return service.decide(request, facts, config, phase, expired=time.is_over)

            return would_be(decided, request, phase) if is_audit else decided(request, phase)

        try:
            decision = service.verdicts.once(request, facts, config, phase, work_out, time.is_late)
            judged = _Reviewed(answer(uid, let_in(decision, phase) if is_audit else decision, phase), decision, request, is_audit=is_audit)
        except TakesLongError:
            self._slowness.took_long(request, service.clock())
            raise
        if time.loop_until is not None:
            self._slowness.was_quick(request)
        return judged

    def _not_reviewed(self, head: JSONObject, what: str) -> _Reviewed:
        """The decision on a long review that wasn't judged, made from its head only."""
        if not head:
            raise CallError(TurnedAway.TOO_SLOW, f"the review wasn't judged: {what}")
        with suppress(EnvelopeError):
            return self._fail(head["uid"], what, as_request({**head, "object": {}}))
        return self._fail(head["uid"], what)

    def _fail(self, uid: str, what: str, request: Request | None = None) -> _Reviewed:
        """The configured mode's decision after a failure of the webhook outside of the engine."""
        config = self._service.config
        finding = failure_finding(what, config)
        said = denial_text([finding])
        refused = finding.severity is Severity.ERROR and config.mode == "deny"
        decision = Decision(not refused, 403, said if refused else "", warnings=() if refused else (said,), findings=(finding,))
        return _Reviewed(answer(uid, decision, self._phase), decision, request, is_audit=config.mode == "audit")


@dataclass(frozen=True, slots=True)
class _Reviewed:
    """An answer with the data that is counted and logged; `request` is missing if the webhook failed or the request is malformed."""

    review: bytes
    decision: Decision
    request: Request | None = None
    is_malformed: bool = False
    is_audit: bool = False

    def summary(self) -> _Reviewed:
        """A copy without the objects, which may be large."""
        decision = self.decision.summary()
        if self.request is None:
            return replace(self, decision=decision)
        # Not the other metadata: managed fields may nest as deep as the object.
        prefix = metadata_of(self.request.object).get("generateName") if isinstance(self.request.object, dict) else None
        named = {"metadata": {"generateName": prefix}} if isinstance(prefix, str) else None
        return replace(self, decision=decision, request=replace(self.request, object=named, old_object=None))
