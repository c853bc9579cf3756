"""How long a reflector waits after each answer, its state then, and its next request."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any

import pytest

from weighbridge.policies.facts.kinds import NODES, ReadKind
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.reflector import Reflector
from weighbridge.webhook.texts.logs import FIELDS

MODELS = ReadKind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "Model"), "models", name="m", namespace="a")


class OverError(Exception):
    """The server has no more answers."""


class Server:
    """Answers each watch or list with the next of its answers: events or pages, and perhaps how it fails."""

    def __init__(self, answers: Iterable[Sequence[JSONObject | APIError]]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def get(self, path: str) -> JSONObject:
        return {"versions": [{"version": "v1alpha1"}], "resources": [{"name": "models"}]}

    async def _next(self, path: str, query: dict[str, Any]) -> AsyncIterator[JSONObject]:
        if not self._answers:
            raise OverError
        self.asked.append((path, query))
        for part in self._answers.pop(0):
            if isinstance(part, APIError):
                raise part
            yield part

    def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        return self._next(path, {"list": True, **query})

    def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        return self._next(path, query)


class Sink:
    """Counts what it is given."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []

    def replace(self, kind: ReadKind, objects: list[Any]) -> None:
        self.told.append(("replace", [*objects]))

    def put(self, kind: ReadKind, obj: Any) -> None:
        self.told.append(("put", obj))

    def discard(self, kind: ReadKind, obj: JSONObject) -> None:
        self.told.append(("discard", obj))

    def unknown(self, kind: ReadKind) -> None:
        self.told.append(("unknown", None))


def followed(
    monkeypatch: pytest.MonkeyPatch, *answers: Sequence[JSONObject | APIError], kind: ReadKind = NODES, chance: float = 1.0
) -> tuple[list[float], Server, Sink, Reflector]:
    """The rounded waits after each of the answers; a second passes with each reading of the clock."""
    waits: list[float] = []
    seconds = 0.0

    def clock() -> float:
        nonlocal seconds
        seconds += 1
        return seconds

    async def pause(_: Reflector, wait: float) -> None:
        waits.append(round(wait, 3))
        await asyncio.sleep(0)

    monkeypatch.setattr(random, "random", lambda: chance)
    monkeypatch.setattr(random, "randint", lambda least, most: least + most)
    monkeypatch.setattr(Reflector, "_pause", pause)
    server, sink = Server(answers), Sink()
    reflector = Reflector(kind, server, sink, lambda obj: None if obj["metadata"].get("name") == "left out" else obj, clock)
    with pytest.raises(OverError):
        asyncio.run(reflector.run())
    return waits, server, sink, reflector


def bookmark(version: str, *, is_last: bool = True) -> JSONObject:
    annotations = {"k8s.io/initial-events-end": "true"} if is_last else None
    return {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": version, "annotations": annotations}}}


def node(name: str, version: str = "1") -> JSONObject:
    return {"metadata": {"name": name, "resourceVersion": version}}


def node_event(what: str, name: str, version: str) -> JSONObject:
    return {"type": what, "object": node(name, version)}


def kept(name: str, version: str = "1") -> JSONObject:
    """The same object as the sink gets it."""
    return {"apiVersion": "v1", "kind": "Node", **node(name, version)}


def failure(status: int = 500) -> APIError:
    return APIError(status, "", "no")


def test_waits_double_up_to_half_a_minute_and_are_shortened_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    waits, *_ = followed(monkeypatch, *[[failure()]] * 8)
    assert waits == [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30]
    waits, _, sink, reflector = followed(monkeypatch, *[[failure()]] * 8, chance=0.0)
    assert waits == [0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 15, 15]
    assert (sink.told, reflector.is_settled, reflector.state) == ([], False, "starting")


def test_once_it_has_been_read_waits_begin_anew_and_the_position_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    waits, server, _, reflector = followed(
        monkeypatch, [failure()], [failure()], [{}, bookmark("5")], [failure()], [{}, node_event("ADDED", "a", "7")], [failure()]
    )
    assert waits == [0.8, 1.6, 0, 0.8, 0, 0.8]
    assert [query.get("resourceVersion") for _, query in server.asked] == [None, None, None, "5", "5", "7"]
    assert (reflector.is_settled, reflector.state) == (True, "interrupted")


def test_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[list[JSONObject | APIError]] = [[{}, bookmark("5")], [{}]]
    _, server, _, _ = followed(monkeypatch, *answers, kind=MODELS)
    always = {"allowWatchBookmarks": "true", "timeoutSeconds": 900, "fieldSelector": "metadata.name=m"}
    path = "/apis/inference.llmkube.dev/v1alpha1/namespaces/a/models"
    first = {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan", **always}
    assert server.asked == [(path, first), (path, {"resourceVersion": "5", **always})]


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_sends_no_initial_events_is_listed_at_once(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    page: JSONObject = {"metadata": {"resourceVersion": "9"}, "items": [node("b"), node("left out")]}
    last: JSONObject = {"metadata": {"resourceVersion": "9"}, "items": None}
    waits, server, sink, _ = followed(monkeypatch, [failure(status)], [page, last], [failure(status)], kind=NODES)
    assert waits == [0, 0, 0.8]
    assert [("list" in query, query.get("resourceVersion")) for _, query in server.asked] == [(False, None), (True, None), (False, "9")]
    assert sink.told == [("replace", [kept("b")])]


def test_events_are_passed_on_and_what_is_left_out_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [{}, node_event("ADDED", "a", "1"), node_event("ADDED", "left out", "1"), node_event("ADDED", "a", "2")]
    later = [
        node_event("MODIFIED", "a", "6"),
        node_event("MODIFIED", "left out", "7"),
        node_event("DELETED", "a", "8"),
        bookmark("9", is_last=False),
        {"type": "SURPRISE", "object": node("a")},
        {"type": "ADDED"},
    ]
    events: list[JSONObject | APIError] = [*first, bookmark("4", is_last=False), bookmark("5"), *later]
    _, server, sink, _ = followed(monkeypatch, events, [{}])
    assert sink.told == [
        ("replace", [kept("a", "2")]),
        ("put", kept("a", "6")),
        ("discard", node("a", "8")),
    ]
    assert server.asked[1][1]["resourceVersion"] == "1"


@pytest.mark.parametrize(
    ("content", "status", "waits"),
    [({"code": 410, "reason": "Expired", "message": "too old"}, 410, [0, 0]), ({"message": "no"}, 500, [0, 0.8]), ({}, 500, [0, 0.8])],
)
def test_an_error_within_a_watch_counts_as_its_answer(
    monkeypatch: pytest.MonkeyPatch, content: JSONObject, status: int, waits: list[float]
) -> None:
    found, _, _, reflector = followed(monkeypatch, [{}, bookmark("5")], [{}, {"type": "ERROR", "object": content}])
    assert found == waits
    assert reflector.state == ("following" if status == 410 else "interrupted")


def test_a_position_that_is_too_old_again_and_again_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    waits, server, *_ = followed(monkeypatch, [{}, bookmark("5")], [failure(410)], [failure()], [failure(410)], [failure(410)])
    assert waits == [0, 0, 0.8, 1.6, 3.2]
    assert [query.get("resourceVersion") for _, query in server.asked] == [None, "5", None, None, None]


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_is_final_at_first_and_put_up_with_three_times_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    waits, _, sink, reflector = followed(monkeypatch, [failure(status)])
    assert (waits, sink.told, reflector.state, reflector.is_settled) == ([30], [("unknown", None)], "forbidden", True)
    caplog.clear()
    caplog.set_level(logging.INFO)
    waits, server, sink, reflector = followed(monkeypatch, [{}, bookmark("5")], *[[failure(status)]] * 4, [{}, bookmark("6")])
    assert waits == [0, 0.8, 1.6, 3.2, 30, 0]
    assert sink.told == [("replace", []), ("unknown", None), ("replace", [])]
    assert [query.get("resourceVersion") for _, query in server.asked] == [None, "5", "5", "5", "5", None]
    why = {"reason": f"{status} : no"}
    assert [(record.levelname, record.message, getattr(record, FIELDS)) for record in caplog.records] == [
        ("INFO", "nodes: following", {}),
        ("WARNING", "nodes: interrupted", why),
        ("WARNING", "nodes: forbidden", why),
        ("INFO", "nodes: following", {}),
    ]


def test_a_kind_that_is_gone_is_looked_for_twice_and_then_known_to_be_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    waits, _, sink, reflector = followed(monkeypatch, [{}, bookmark("5")], [failure(404)], [failure(404)], [failure(404)])
    assert waits == [0, 0.8, 30, 30]
    assert sink.told == [("replace", [])] * 3
    assert (reflector.state, reflector.is_settled) == ("not installed", True)


def test_a_kind_that_may_have_been_installed_is_looked_for_ten_times_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    look_again = Reflector.look_again

    def after_first(reflector: Reflector, error: APIError) -> float:
        found = after(reflector, error)
        if not looks:
            look_again(reflector)
        looks.append(found)
        return found

    looks: list[float] = []
    after = Reflector._after
    monkeypatch.setattr(Reflector, "_after", after_first)
    waits, *_ = followed(monkeypatch, *[[failure(404)]] * 13)
    assert waits == [30, *[0.8] * 10, 30, 30]


@pytest.mark.parametrize("wake", [Reflector.look_again, Reflector.start_anew])
def test_a_wait_ends_early_where_there_is_something_to_look_for(wake: Callable[[Reflector], None]) -> None:
    async def run() -> None:
        reflector = Reflector(NODES, Server([]), Sink(), lambda obj: obj)
        async with asyncio.timeout(20):
            pausing = asyncio.ensure_future(reflector._pause(600))
            await asyncio.sleep(0)
            wake(reflector)
            await pausing
            wake(reflector)
            await reflector._pause(600)
        # It counts once.
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await reflector._pause(600)

    asyncio.run(run())


def test_a_wait_ends_by_itself() -> None:
    async def run() -> None:
        reflector = Reflector(NODES, Server([]), Sink(), lambda obj: obj)
        async with asyncio.timeout(20):
            await reflector._pause(0.001)
            await reflector._pause(0)
            await reflector._pause(-1)

    asyncio.run(run())
