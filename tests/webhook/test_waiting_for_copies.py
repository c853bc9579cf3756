"""A long review waits for its turn to be judged in a copy of the process, but never beyond its deadline."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import Answer, call
from tests.webhook.reviews import UID, Judge, model, review
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.webhook.server import door
from weighbridge.webhook.server.calls import CallError, TurnedAway
from weighbridge.webhook.server.long_reviews.copied_process import CopyFailedError
from weighbridge.webhook.server.long_reviews.slowness import is_long
from weighbridge.webhook.server.service import Service

LONG = review(model(args=["x"] * 3_000))


async def bounded(app: ASGIApp, *, query: str = "timeout=3s") -> Answer:
    async with asyncio.timeout(10):
        return await call(app, "/validate", LONG, query=query)


def test_one_whose_turn_does_not_come_in_time_is_judged_as_late(app: ASGIApp, service: Service, judge: Judge) -> None:
    async def run() -> Answer:
        async with service.copies.turn("team-a", 1):
            return await bounded(app, query="timeout=150ms")

    response = asyncio.run(run()).json["response"]
    assert (response["uid"], response["allowed"]) == (UID, False)
    assert response["status"]["message"].startswith("the deadline passed before the verdict was ready (WB-000")
    # Reading it would block the loop, too.
    assert judge.seen == []
    labels = {"phase": "validate", "operation": "CREATE", "kind": "Model", "decision": "deny"}
    assert service.metrics.registry.get_sample_value("weighbridge_decisions_total", labels) == 1
    assert service.metrics.registry.get_sample_value("weighbridge_engine_failures_total", {"phase": "validate"}) == 1


@pytest.mark.parametrize("mode", ["audit", "warn"])
def test_one_that_is_late_is_let_in_where_the_mode_says_so(app: ASGIApp, service: Service, mode: str) -> None:
    async def run() -> Answer:
        async with service.copies.turn("team-a", 1):
            return await bounded(app, query="timeout=150ms")

    service.config = parse({"mode": "audit"} if mode == "audit" else {"onError": "warn"})
    response = asyncio.run(run()).json["response"]
    assert response["allowed"] is True
    (warning,) = response["warnings"]
    assert warning.startswith("the deadline passed before the verdict was ready (WB-000: the log has the details")


@pytest.mark.parametrize("body", [b"[]" + b"," * 3_000, b'{"request": {"object": {' + b"," * 3_000], ids=["no review", "no head"])
def test_one_that_is_late_and_has_no_head_is_turned_away(app: ASGIApp, service: Service, body: bytes) -> None:
    async def run() -> Answer:
        async with service.copies.turn("", 1):
            return await call(app, "/validate", body, query="timeout=150ms")

    answer = asyncio.run(run())
    assert (answer.status, answer.json) == (408, {"error": "the review wasn't judged: the deadline passed before the verdict was ready"})


def test_one_whose_turn_comes_is_judged_elsewhere(app: ASGIApp, service: Service, judge: Judge) -> None:
    async def run() -> Answer:
        async with service.copies.turn("team-a", 1):
            waiting = asyncio.ensure_future(bounded(app))
            while len(service.copies) < 2:
                await asyncio.sleep(0)
        answer = await waiting
        assert len(service.copies) == 0
        return answer

    judge.decision = Decision(allowed=False, code=403, message="no")
    assert asyncio.run(run()).json["response"]["status"]["message"] == "no"
    assert judge.seen == []


def test_one_that_can_not_be_answered_is_turned_away_as_in_the_loop(
    app: ASGIApp, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(_: bytes) -> None:
        raise CallError(TurnedAway.MALFORMED, "no review")

    monkeypatch.setattr(door, "read_review", unreadable)
    answer = asyncio.run(bounded(app))
    assert (answer.status, answer.json) == (400, {"error": "no review"})
    assert service.in_flight == 0


def test_a_copy_that_fails_is_logged(
    app: ASGIApp, service: Service, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object) -> None:
        raise CopyFailedError("no memory")

    monkeypatch.setattr(door, "in_copy", failing)
    response = asyncio.run(bounded(app)).json["response"]
    assert response["allowed"] is False
    assert response["status"]["message"].startswith("CopyFailedError in the webhook (WB-000: the log has the details")
    told = [(record.levelno, record.getMessage()) for record in caplog.records if record.name == "weighbridge.webhook"]
    assert told == [(logging.ERROR, "the validate webhook failed: no memory")]


@pytest.mark.parametrize(
    ("body", "long"),
    [
        *((b"," * 2_000, False), (b"," * 2_001, True), (b" " * 524_288, False), (b" " * 524_289, True), (b"", False)),
        *((b"[{" * 2_000, False), (b"[{" * 2_000 + b"{", True)),
    ],
)
def test_a_review_is_long_by_its_bytes_or_its_values(body: bytes, long: bool) -> None:
    assert is_long(body) is long


def test_the_time_of_a_call_may_be_used_to_its_end(app: ASGIApp, service: Service, judge: Judge) -> None:
    service.settings = service.settings.model_copy(update={"deadline": 2.0, "deadline_margin": 0.0})
    for late in (102.0, 102.5):
        service.clock = partial(next, iter([100.0, 100.0, late, 103.0, 103.0, 103.0]))
        assert asyncio.run(call(app, "/validate", review())).status == 200
    assert judge.was_expired == [False, True]


def test_a_copy_judges_an_object_whose_managed_fields_nest_deep(app: ASGIApp) -> None:
    """What a copy sends back is pickled, which fails for values that nest deep."""
    entry = {"manager": "kubectl", "operation": "Apply", "fieldsV1": "DEEP"}
    obj = {**model(), "metadata": {**model()["metadata"], "managedFields": [entry]}}
    body = review(obj).replace(b'"DEEP"', b'{"f:a":' * 5_000 + b"{}" + b"}" * 5_000)
    assert is_long(body)
    response = asyncio.run(call(app, "/validate", body, query="timeout=10s")).json["response"]
    assert (response["allowed"], "CopyFailedError" in str(response)) == (True, False)
