"""A reflector of one kind, with a server that behaves like real ones: it ends watches, forgets positions, goes away, refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import pytest

from weighbridge.policies.facts.kinds import NODES, PLACEMENT_KINDS, ReadKind
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.cluster.kubernetes_api import APIError
from weighbridge.webhook.cluster.reflector import Reflector, WatchState

#: The server's reaction to one call: events or pages, what happens meanwhile, and how it ends.
Answer = list[JSONObject | APIError | Callable[[], None]]


class Server:
    """Gives its answers in order, and keeps the watch open silently after the last one.

    `groups` are its answers to discovery: the plurals of each version; each request for the group gets the next of the list.
    """

    def __init__(self, *answers: Answer, groups: list[dict[str, list[str]]] | None = None) -> None:
        self._answers = list(answers)
        self._groups = list(groups or [])
        self.calls: list[dict[str, Any]] = []

    async def _next(self, call: dict[str, Any]) -> AsyncIterator[JSONObject]:
        self.calls.append(call)
        if not self._answers:
            yield {}
            await asyncio.Event().wait()
        for part in self._answers.pop(0):
            if isinstance(part, APIError):
                raise part
            if callable(part):
                part()
            else:
                yield part

    async def get(self, path: str) -> JSONObject:
        _, _, _, *version = path.split("/")
        if not version:
            return {"versions": [{"version": offered} for offered in self._groups[0]]}
        plurals = self._groups[0][version[0]]
        if len(self._groups) > 1:
            self._groups.pop(0)
        return {"resources": [{"name": plural} for plural in plurals]}

    def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        return self._next({"list": path})

    def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        return self._next({"path": path, **query})


class Names:
    """A sink that keeps names."""

    def __init__(self) -> None:
        self.names: set[str] | None = None

    def replace(self, kind: ReadKind, objects: Iterable[JSONObject]) -> None:
        self.names = {name_of(obj) for obj in objects}

    def put(self, kind: ReadKind, obj: JSONObject) -> None:
        assert self.names is not None
        self.names.add(name_of(obj))

    def discard(self, kind: ReadKind, obj: JSONObject) -> None:
        assert self.names is not None
        self.names.discard(name_of(obj))

    def unknown(self, kind: ReadKind) -> None:
        self.names = None


class Clock:
    """A clock that tests move; otherwise the reflector would wait after a watch that ends at once."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def event(what: str, name: str, version: int) -> JSONObject:
    return {"type": what, "object": {"metadata": {"name": name, "resourceVersion": str(version)}}}


def bookmark(version: int, *, initial: bool = False) -> JSONObject:
    annotations = {"k8s.io/initial-events-end": "true"} if initial else {}
    return {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": str(version), "annotations": annotations}}}


def followed(server: Server, until: Callable[[Reflector, Names], bool], kind: ReadKind = NODES) -> tuple[Reflector, Names, Clock]:
    """Runs a reflector until `until` holds."""
    sink, clock = Names(), Clock()
    reflector = Reflector(kind, server, sink, lambda obj: obj, clock)

    async def run() -> None:
        task = asyncio.ensure_future(reflector.run())
        async with asyncio.timeout(20):
            while not until(reflector, sink):
                await asyncio.sleep(0)
                assert not task.done(), task.exception()
        task.cancel()

    asyncio.run(run())
    return reflector, sink, clock


INITIAL: Answer = [{}, event("ADDED", "a", 1), event("ADDED", "b", 2), bookmark(5, initial=True)]


def test_the_first_objects_arrive_as_a_whole() -> None:
    broken: Answer = [{}, event("ADDED", "a", 1), APIError(0, "", "reset")]
    server = Server(broken, INITIAL)
    _, sink, _ = followed(server, lambda _, sink: sink.names is not None)
    assert sink.names == {"a", "b"}


def test_changes_are_followed_and_the_position_moves_on() -> None:
    server = Server([*INITIAL, event("DELETED", "a", 6), event("ADDED", "c", 7), bookmark(9)])
    _, sink, _ = followed(server, lambda *_: len(server.calls) == 2)
    assert sink.names == {"b", "c"}
    assert server.calls[1]["resourceVersion"] == "9"
    assert "sendInitialEvents" not in server.calls[1]


def test_a_watch_that_breaks_goes_on_where_it_was_and_keeps_what_is_known() -> None:
    server = Server([*INITIAL, APIError(0, "", "connection reset")])

    def follows_again(reflector: Reflector, _: Names) -> bool:
        return len(server.calls) == 2 and reflector.state is WatchState.FOLLOWING and reflector.age() == 0

    _, sink, _ = followed(server, follows_again)
    assert sink.names == {"a", "b"}
    assert server.calls[1]["resourceVersion"] == "5"


def test_a_position_too_old_means_reading_anew() -> None:
    gone: Answer = [{}, {"type": "ERROR", "object": {"code": 410, "reason": "Expired", "message": "too old resource version"}}]
    server = Server(INITIAL, gone, [{}, event("ADDED", "z", 20), bookmark(21, initial=True)])
    followed(server, lambda _, sink: sink.names == {"z"})
    assert "sendInitialEvents" in server.calls[2]


def test_a_server_without_initial_events_is_listed_page_by_page() -> None:
    pages: Answer = [
        {"metadata": {"resourceVersion": "7", "continue": "x"}, "items": [{"metadata": {"name": "a"}}]},
        {"metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "b"}}]},
    ]
    server = Server([APIError(422, "Invalid", "sendInitialEvents: Forbidden")], pages)
    _, sink, _ = followed(server, lambda *_: len(server.calls) == 3)
    assert sink.names == {"a", "b"}
    assert server.calls[2]["resourceVersion"] == "7"


def test_what_is_not_installed_is_known_to_be_nothing() -> None:
    reflector, sink, _ = followed(Server([APIError(404, "NotFound", "")]), lambda reflector, _: reflector.is_settled)
    assert (reflector.state, sink.names) == (WatchState.ABSENT, set())


def test_what_may_not_be_read_is_not_known() -> None:
    reflector, sink, _ = followed(Server([APIError(403, "Forbidden", "no")]), lambda reflector, _: reflector.is_settled)
    assert (reflector.state, sink.names) == (WatchState.FORBIDDEN, None)


def test_one_refusal_on_the_way_does_not_make_us_forget() -> None:
    server = Server([*INITIAL, APIError(0, "", "reset")], [APIError(403, "Forbidden", "starting")])
    _, sink, _ = followed(server, lambda *_: len(server.calls) == 3)
    assert sink.names == {"a", "b"}


def test_an_interruption_makes_facts_age() -> None:
    server = Server([*INITIAL, APIError(0, "", "reset")])
    reflector, _, clock = followed(server, lambda reflector, _: reflector.state is WatchState.INTERRUPTED)
    before = reflector.age()
    clock.now += 40
    assert reflector.age() >= before + 40


class Stopped(Clock):
    """A clock that only tests move."""

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("confirmed", "ended", "how", "age"),
    [(34, 35, [APIError(0, "", "reset")], 3), (34, 35, [], 2), (88, 90, [APIError(0, "Timeout", "")], 92)],
    ids=["reset", "ended", "silent"],
)
def test_age_counts_from_when_facts_were_last_known_to_be_current(confirmed: float, ended: float, how: Answer, age: float) -> None:
    clock = Stopped()

    def pass_time() -> None:
        clock.now = confirmed
        reflector.confirm()
        clock.now = ended

    server = Server([*INITIAL, pass_time, *how], [APIError(0, "", "connection refused")])
    reflector = Reflector(NODES, server, Names(), lambda obj: obj, clock)

    async def run() -> None:
        task = asyncio.ensure_future(reflector.run())
        while reflector.state is not WatchState.INTERRUPTED:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(run())
    clock.now += 2
    assert reflector.age() == age


def test_a_quiet_watch_is_no_broken_one_and_one_that_ends_is_taken_up_again() -> None:
    clock = Stopped()
    ages: list[tuple[float, float]] = []

    def state() -> WatchState:
        return reflector.state

    def look(seconds: float) -> Callable[[], None]:
        def pass_time() -> None:
            clock.now += seconds
            ages.append((reflector.age(), reflector.outage()))
            reflector.confirm()

        return pass_time

    # No bookmark for an hour, then a load balancer cuts the connection.
    quiet: Answer = [look(90), look(500), look(3000), APIError(0, "", "reset")]
    server = Server([*INITIAL, *quiet], [APIError(0, "", "reset")])
    reflector = Reflector(NODES, server, Names(), lambda obj: obj, clock)

    async def run() -> None:
        task = asyncio.ensure_future(reflector.run())
        while state() is not WatchState.INTERRUPTED:
            await asyncio.sleep(0)
        clock.now += 2
        ages.append((reflector.age(), reflector.outage()))
        reflector.start_anew()
        while state() is not WatchState.FOLLOWING:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(run())
    assert ages == [(0, 0), (0, 0), (0, 0), (2, 2)]
    assert (reflector.age(), reflector.outage()) == (0, 0)


def test_what_is_known_of_a_kind_no_longer_counts_after_too_long_without_a_watch() -> None:
    clock, names = Stopped(), Names()
    failures: list[Answer] = [[APIError(500, "InternalError", "conversion webhook")] for _ in range(3)]
    again: Answer = [{}, event("ADDED", "c", 9), bookmark(9, initial=True)]
    server = Server(INITIAL, *failures, again)
    reflector = Reflector(NODES, server, names, lambda obj: obj, clock, longest_age=100)
    seen: list[tuple[WatchState, bool, set[str] | None]] = []

    async def run() -> None:
        task = asyncio.ensure_future(reflector.run())
        for seconds, calls in ((0, 2), (60, 3), (60, 4), (60, 5)):
            clock.now += seconds
            reflector.start_anew()
            while len(server.calls) < calls:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            seen.append((reflector.state, reflector.is_known, names.names))
        while reflector.state is not WatchState.FOLLOWING:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(run())
    known: set[str] = {"a", "b"}
    assert seen[:3] == [(WatchState.INTERRUPTED, True, known), (WatchState.INTERRUPTED, True, known), (WatchState.LOST, False, None)]
    assert names.names == {"c"}
    assert "sendInitialEvents" in server.calls[4]


def test_what_is_read_anew_is_current_only_then() -> None:
    clock, server = Stopped(), Server(INITIAL)
    reflector = Reflector(NODES, server, Names(), lambda obj: obj, clock)

    async def run() -> None:
        task = asyncio.ensure_future(reflector.run())
        while len(server.calls) < 2:
            await asyncio.sleep(0)
        clock.now = 60
        reflector.start_anew()
        await asyncio.sleep(0)
        assert reflector.age() == 60
        while reflector.age():
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(run())
    assert len(server.calls) == 3


SLICES = next(kind for kind in PLACEMENT_KINDS if kind.gvk.kind == "ResourceSlice")
GROUP = "/apis/resource.k8s.io"


def test_a_kind_is_followed_in_the_best_version_that_is_served() -> None:
    server = Server(INITIAL, groups=[{"v1alpha3": ["devicetaintrules"], "v1beta1": [SLICES.plural], "v1beta2": [SLICES.plural]}])
    followed(server, lambda _, sink: sink.names is not None, SLICES)
    assert server.calls[0]["path"] == f"{GROUP}/v1beta2/resourceslices"


def test_a_version_that_is_withdrawn_makes_way_for_another_and_nothing_is_forgotten() -> None:
    after: Answer = [{}, event("ADDED", "c", 9), bookmark(9, initial=True)]
    server = Server(INITIAL, [APIError(404, "NotFound", "")], after, groups=[{"v1beta1": [SLICES.plural]}, {"v1": [SLICES.plural]}])
    seen: list[set[str]] = []

    def replaced(_: Reflector, sink: Names) -> bool:
        if sink.names is not None:
            seen.append(set(sink.names))
        return sink.names == {"c"}

    followed(server, replaced, SLICES)
    assert [call["path"] for call in server.calls[::2]] == [f"{GROUP}/v1beta1/resourceslices", f"{GROUP}/v1/resourceslices"]
    assert set() not in seen


def test_of_a_version_that_nobody_here_can_read_nothing_is_known() -> None:
    server = Server(groups=[{"v1alpha3": [SLICES.plural]}])
    reflector, sink, _ = followed(server, lambda reflector, _: reflector.is_settled, SLICES)
    assert (reflector.state, reflector.is_known, sink.names) == (WatchState.UNREADABLE, False, None)
    assert server.calls == []


def test_a_kind_that_its_group_lacks_is_not_installed() -> None:
    reflector, sink, _ = followed(Server(groups=[{"v1": ["other"]}]), lambda reflector, _: reflector.is_settled, SLICES)
    assert (reflector.state, sink.names) == (WatchState.ABSENT, set())


def test_a_watch_that_is_not_trusted_any_more_begins_anew_where_it_was() -> None:
    server = Server(INITIAL)
    told = False

    def again(reflector: Reflector, sink: Names) -> bool:
        nonlocal told
        if len(server.calls) == 2 and not told:
            told = True
            reflector.start_anew()
        return len(server.calls) == 3

    reflector, sink, _ = followed(server, again)
    assert [call.get("resourceVersion") for call in server.calls] == [None, "5", "5"]
    assert (sink.names, reflector.state) == ({"a", "b"}, WatchState.FOLLOWING)
