"""Which calls are judged, which are rejected, and how failures are answered."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from starlette.types import ASGIApp

from tests.webhook.asgi import JSON_HEADERS, Answer, call, pieces, post
from tests.webhook.reviews import UID, Judge, model, review
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Inventory
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict import engine
from weighbridge.policies.verdict.engine import Phase
from weighbridge.webhook.server import door
from weighbridge.webhook.server.service import Service


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_other_methods_are_told_what_is_allowed(app: ASGIApp, method: str) -> None:
    answer = post(app, "/mutate", b"", method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert "error" in answer.json


@pytest.mark.parametrize("path", ["/", "/mutate/", "/healthz", "/metrics", "/docs", "/openapi.json", "/redoc", "//mutate"])
def test_other_paths_are_not_found(app: ASGIApp, path: str) -> None:
    answer = post(app, path, review(), method="GET" if path != "/mutate/" else "POST")
    assert (answer.status, answer.json) == (404, {"error": "Not Found"})


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": ""},
        {"content-type": "text/plain"},
        {"content-type": "application/yaml"},
        {"content-type": "application/json-patch+json"},
        {"content-type": "application/json; charset=utf-16"},
        JSON_HEADERS | {"content-encoding": "gzip"},
    ],
)
def test_other_media_types_are_unsupported(app: ASGIApp, judge: Judge, headers: dict[str, str]) -> None:
    answer = post(app, "/mutate", review(), headers=headers)
    assert answer.status == 415
    assert "error" in answer.json
    assert judge.seen == []


@pytest.mark.parametrize(
    "media_type", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8", 'application/json; charset="utf-8"']
)
def test_json_may_name_its_charset(app: ASGIApp, media_type: str) -> None:
    assert post(app, "/mutate", review(), headers={"content-type": media_type}).status == 200


def test_body_in_many_pieces_is_put_together(app: ASGIApp) -> None:
    body = review()
    answer = asyncio.run(call(app, "/mutate", pieces(body[at : at + 7] for at in range(0, len(body), 7))))
    assert answer.json["response"]["allowed"] is True


@pytest.mark.parametrize("declared", [None, "10", "900000"], ids=["chunked", "says less", "says as much"])
def test_body_over_the_limit_is_too_large_whatever_its_header_says(app: ASGIApp, judge: Judge, declared: str | None) -> None:
    headers = JSON_HEADERS | ({} if declared is None else {"content-length": declared})
    answer = asyncio.run(call(app, "/mutate", pieces([b" " * 30_000] * 30), headers=headers))
    assert (answer.status, answer.headers["connection"]) == (413, "close")
    assert "100000" in answer.json["error"]
    assert judge.seen == []


def test_body_of_exactly_the_limit_is_judged(app: ASGIApp) -> None:
    body = review()
    assert post(app, "/mutate", body + b" " * (100_000 - len(body))).status == 200
    assert post(app, "/mutate", body + b" " * (100_001 - len(body))).status == 413


def test_body_that_stalls_is_given_up_before_the_callers_timeout(app: ASGIApp, judge: Judge) -> None:
    async def stall() -> Answer:
        return await call(app, "/mutate", pieces([b"{"], then=asyncio.Event()), query="timeout=100ms")

    answer = asyncio.run(stall())
    assert (answer.status, answer.headers["connection"]) == (408, "close")
    assert "0.05 seconds" in answer.json["error"]
    assert judge.seen == []


def test_client_that_hangs_up_is_no_defect(app: ASGIApp, service: Service, caplog: pytest.LogCaptureFixture) -> None:
    assert asyncio.run(call(app, "/mutate", b"{", hang_up=True)).status == 400
    assert caplog.records == []
    assert service.in_flight == 0


def test_engine_is_told_when_the_time_is_up(app: ASGIApp, service: Service, judge: Judge) -> None:
    ticks = iter([100.0, 100.0, 102.9, 103.0, 103.0, 200.0, 200.0, 202.7, 203.0, 203.0])
    service.clock = lambda: next(ticks)
    post(app, "/validate", review(), query="timeout=3s")
    post(app, "/validate", review(), query="timeout=3s")
    assert judge.was_expired == [True, False]


def test_call_whose_body_is_slow_takes_no_place_from_others(app: ASGIApp, service: Service, judge: Judge) -> None:
    async def crowd() -> tuple[list[Answer], list[Answer]]:
        go = asyncio.Event()
        body = review()
        slow = [asyncio.ensure_future(call(app, "/mutate", pieces([body], then=go))) for _ in range(3)]
        while len(service.bodies) < 3:
            await asyncio.sleep(0)
        good = [await call(app, "/mutate", body) for _ in range(10)]
        go.set()
        return await asyncio.gather(*slow), good

    slow, good = asyncio.run(crowd())
    assert [answer.status for answer in (*slow, *good)] == [200] * 13
    assert (service.in_flight, len(service.bodies)) == (0, 0)


def test_slowest_body_gives_way_to_a_new_one(app: ASGIApp, service: Service, judge: Judge) -> None:
    async def crowd() -> tuple[list[Answer], Answer]:
        never, go = asyncio.Event(), asyncio.Event()
        stalled = [asyncio.ensure_future(call(app, "/mutate", pieces([b"{"], then=never), query="timeout=2s")) for _ in range(4)]
        while len(service.bodies) < 4:
            await asyncio.sleep(0)
        late = asyncio.ensure_future(call(app, "/mutate", pieces([review()], then=go)))
        first, _ = await asyncio.wait(stalled, return_when=asyncio.FIRST_COMPLETED)
        assert len(first) == 1
        go.set()
        return await asyncio.gather(*stalled), await late

    stalled, late = asyncio.run(crowd())
    assert late.status == 200
    assert [answer.status for answer in stalled] == [408] * 4
    assert sorted("this one was the slowest" in answer.json["error"] for answer in stalled) == [False, False, False, True]
    assert len(judge.seen) == 1


def test_calls_that_arrive_at_once_are_counted_before_any_is_judged(app: ASGIApp, judge: Judge) -> None:
    async def crowd() -> list[Answer]:
        return await asyncio.gather(*(call(app, "/validate", review()) for _ in range(10)))

    assert sorted(answer.status for answer in asyncio.run(crowd())) == [200] * 4 + [503] * 6
    assert len(judge.seen) == 4


def test_calls_are_turned_away_until_everything_is_there(app: ASGIApp, service: Service, judge: Judge) -> None:
    service.readiness.hold("facts", "12 of 40 kinds read")
    answer = post(app, "/validate", review())
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")
    assert answer.json == {"error": "not ready: facts: 12 of 40 kinds read"}
    assert judge.seen == []
    service.readiness.release("facts")
    assert post(app, "/validate", review()).status == 200


@pytest.mark.parametrize(
    ("path", "method", "status"), [("/mutate", "POST", 200), ("/validate", "POST", 200), ("/else", "POST", 404), ("/mutate", "GET", 405)]
)
def test_draining_still_answers_but_closes(app: ASGIApp, service: Service, path: str, method: str, status: int) -> None:
    assert "connection" not in post(app, path, review(), method=method).headers
    service.readiness.draining = True
    answer = post(app, path, review(), method=method)
    assert (answer.status, answer.headers["connection"]) == (status, "close")


@pytest.mark.parametrize(("mode", "allowed"), [("deny", False), ("warn", True)])
def test_failure_around_the_engine_follows_the_configured_mode(
    app: ASGIApp, service: Service, judge: Judge, caplog: pytest.LogCaptureFixture, mode: str, allowed: bool
) -> None:
    service.config = parse({"onError": mode})
    judge.decision = LookupError("secret contents of the object")
    answer = post(app, "/mutate", review())
    response: dict[str, Any] = answer.json["response"]
    assert (answer.status, response["uid"], response["allowed"]) == (200, UID, allowed)
    text = response["warnings"][0] if allowed else response["status"]["message"]
    assert text == "LookupError in the webhook (WB-000: the log has the details; on the command line, run weighbridge --debug)"
    assert b"secret" not in answer.body
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_decision_that_cannot_be_written_down_is_a_failure_too(app: ASGIApp, judge: Judge) -> None:
    judge.decision = Decision(allowed=True, code=201, patch=[{"op": "add", "path": "/spec/n", "value": 2**70}])
    response = post(app, "/mutate", review()).json["response"]
    assert (response["uid"], response["allowed"]) == (UID, False)


def test_defect_before_the_uid_is_known_is_an_error_without_a_traceback(
    app: ASGIApp, service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(body: bytes) -> None:
        raise RuntimeError(f"{len(body)} bytes of secrets")

    monkeypatch.setattr(door, "read_review", broken)
    answer = post(app, "/mutate", review())
    assert (answer.status, answer.json) == (500, {"error": "the webhook failed; its log has the details"})
    assert caplog.records[0].exc_info is not None
    assert service.in_flight == 0


def test_facts_and_configuration_are_those_published_last(app: ASGIApp, service: Service) -> None:
    seen = []

    def remember(request: object, facts: Facts, config: object, phase: Phase = Phase.WHOLE, **_: object) -> Decision:
        seen.append((facts.inventory, config))
        return Decision(allowed=True, code=200)

    service.decide = remember
    post(app, "/mutate", review())
    inventory, config = Inventory(()), parse({"onError": "warn"})
    service.facts, service.config = replace(service.facts, inventory=inventory), config
    post(app, "/mutate", review())
    assert seen[1] == (inventory, config)
    assert seen[1][1] is config
    assert seen[0][0] is not inventory
    assert seen[0][1] is not config


def _long_review() -> bytes:
    return review(model(args=["x"] * 3000))


def test_long_review_is_judged_without_holding_up_others(app: ASGIApp, service: Service) -> None:
    def slow(request: Request, *_: object, **__: object) -> Decision:
        if request.object is not None and "args" in request.object["spec"]:
            time.sleep(0.5)
        return Decision(allowed=False, code=403, message="too many", object=request.object)

    async def both() -> tuple[Answer, int]:
        long = asyncio.ensure_future(call(app, "/validate", _long_review()))
        answered = 0
        while not long.done():
            answered += (await call(app, "/validate", review())).status == 200
            await asyncio.sleep(0.01)
        return await long, answered

    service.decide = slow
    answer, answered = asyncio.run(both())
    assert (answer.status, answer.json["response"]["status"]["message"]) == (200, "too many")
    assert answered > 3


@pytest.mark.parametrize(("mode", "allowed"), [("deny", False), ("warn", True)])
def test_long_review_that_outlives_its_deadline_follows_the_configured_mode(
    app: ASGIApp, service: Service, mode: str, allowed: bool
) -> None:
    def stuck(
        request: Request, facts: Facts, config: Configuration, phase: Phase = Phase.WHOLE, *, expired: Callable[[], bool] = lambda: False
    ) -> Decision:
        if not expired():
            time.sleep(60)
        return engine.decide(request, facts, config, phase, expired=expired)

    service.config, service.decide = parse({"onError": mode}), stuck
    response = post(app, "/validate", _long_review(), query="timeout=400ms").json["response"]
    assert response["allowed"] is allowed
    assert "the deadline passed before the verdict was ready" in str(response)
    assert service.in_flight == 0


def test_long_review_whose_judge_dies_follows_the_configured_mode(app: ASGIApp, service: Service) -> None:
    def dies(*_: object, **__: object) -> Decision:
        os._exit(3)

    service.decide = dies
    response = post(app, "/validate", _long_review()).json["response"]
    assert response["allowed"] is False
    assert response["status"]["message"].startswith("CopyFailedError in the webhook (WB-000: the log has the details")
