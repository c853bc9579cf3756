"""Keeps the objects of one kind as the API server has them: lists or streams them once, then follows their changes.

The rules are client-go's: the first objects come as a watch with initial events if the server can do that, else as a list in pages.
Bookmarks advance the position. If a position is too old, everything is read again, and only a complete reading replaces the known objects.
After a failure it waits, longer each time, and never exactly as long as other reflectors. Source: k8s.io/client-go
`tools/cache/reflector.go`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from enum import StrEnum
from typing import Any, Final, Protocol, TypeAlias

from weighbridge.policies.facts.kinds import ReadKind
from weighbridge.policies.ground.objects import JSONObject, metadata_of
from weighbridge.webhook.cluster.discovery import UnknownVersionError, served
from weighbridge.webhook.cluster.kubernetes_api import TIMEOUT, APIError
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.cluster")
_INITIAL_EVENTS_END: Final = "k8s.io/initial-events-end"
_SHORTEST_WAIT, _LONGEST_WAIT = 0.8, 30.0
#: How often discovery waits only shortly for a kind that may have just been installed.
_HURRIED_LOOKS: Final = 10
#: The requested duration of a watch.
_WATCH_SECONDS: Final = (300, 600)


#: An object in the form in which the transform passes it to the sink.
Transformed: TypeAlias = Any


class Source(Protocol):
    """The calls of the API server that a reflector needs."""

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""

    def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        """The pages of a list."""

    def events(self, path: str, **query: str | int) -> AsyncIterator[JSONObject]:
        """The events of a watch; an empty event at first means that it has begun."""


class Sink(Protocol):
    """Receives the objects."""

    def replace(self, kind: ReadKind, objects: list[Transformed]) -> None:
        """Take these as all objects of the kind."""

    def put(self, kind: ReadKind, obj: Transformed) -> None:
        """Take one object that is new or has changed."""

    def discard(self, kind: ReadKind, obj: JSONObject) -> None:
        """Drop one object that was deleted."""

    def unknown(self, kind: ReadKind) -> None:
        """Note that the kind can't be known."""


class WatchState(StrEnum):
    """How the watch of one kind has ended."""

    STARTING = "starting"
    FOLLOWING = "following"
    ABSENT = "not installed"
    FORBIDDEN = "forbidden"
    UNREADABLE = "served in no version that can be read"
    INTERRUPTED = "interrupted"
    LOST = "interrupted for too long"


_TROUBLE: Final = frozenset({WatchState.FORBIDDEN, WatchState.UNREADABLE, WatchState.INTERRUPTED, WatchState.LOST})
_AGING: Final = frozenset({WatchState.FOLLOWING, WatchState.INTERRUPTED, WatchState.LOST})


class Reflector:
    """One kind of one cluster."""

    def __init__(
        self,
        kind: ReadKind,
        source: Source,
        sink: Sink,
        transform: Callable[[JSONObject], Transformed | None],
        clock: Callable[[], float] = time.monotonic,
        longest_age: float = float("inf"),
    ) -> None:
        """`transform` is called with each object on arrival and returns what the sink gets; `None` leaves the object out.

        After `longest_age` seconds without a watch the facts of the kind no longer count. `is_settled` says that the kind's objects are
        known, or that they are known to be unreadable.
        """
        self.kind = kind
        self._served = kind
        self.state = WatchState.STARTING
        self._source = source
        self._sink = sink
        self._transform = transform
        self._clock = clock
        self._position = ""
        self._streams_initially = True
        self._longest_age = longest_age
        #: The times of the last event of the watch, of the last moment at which the known objects were current, and of the watch's end.
        self._contact = self._current = self._ended = clock()
        self._lives = False
        self.is_settled = False
        self._look_again = asyncio.Event()
        self._hurried = 0
        self._failures = 0
        self._following: asyncio.Task[None] | None = None
        self._starts_anew = False

    @property
    def is_known(self) -> bool:
        """Whether the kind's objects are known, even if there are none."""
        return self.is_settled and self.state not in {WatchState.FORBIDDEN, WatchState.UNREADABLE, WatchState.LOST}

    def age(self) -> float:
        """Seconds for which changes may have been missed: 0 while the watch is alive."""
        return 0.0 if self._lives or self.state not in _AGING else self._clock() - self._current

    def outage(self) -> float:
        """Seconds since the watch ended; 0 while it is alive. If its death wasn't noticed at once, that is less than the age."""
        return 0.0 if self._lives or self.state not in _AGING else self._clock() - self._ended

    def confirm(self) -> None:
        """Note that the server has just answered, so that a live watch has received every change."""
        if self._lives:
            self._current = self._clock()

    def look_again(self) -> None:
        """Stop waiting: the kind may have just been installed, and may not be served yet."""
        self._hurried = _HURRIED_LOOKS
        self._look_again.set()

    def start_anew(self) -> None:
        """Open new connections and stop waiting: the server was unreachable and answers again."""
        self._failures = 0
        self._look_again.set()
        if self._following is not None and not self._following.done():
            self._starts_anew = True
            self._following.cancel()

    async def run(self) -> None:
        """Follow the kind as long as this runs."""
        while True:
            began = self._clock()
            try:
                await self._follow_until_told()
                # If a server ends each watch at once, requests must not repeat without a pause.
                wait = 0.0 if self._clock() - began > _SHORTEST_WAIT else self._backoff()
            except APIError as error:
                wait = self._after(error)
            except UnknownVersionError as error:
                self._sink.unknown(self.kind)
                self._settle(WatchState.UNREADABLE, str(error))
                wait = _LONGEST_WAIT
            await self._pause(wait)

    async def _follow_until_told(self) -> None:
        """Follow in a separate task, which `start_anew` ends."""
        self._following = asyncio.ensure_future(self._follow())
        try:
            await self._following
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._starts_anew or (task is not None and task.cancelling()):
                raise
        finally:
            self._starts_anew = False

    async def _follow(self) -> None:
        """Run one reading or one watch to its end."""
        if self._position:
            await self._watch(resourceVersion=self._position)
            return
        found = await served(self._source, self.kind)
        if found is None:
            raise APIError(404, "NotFound", f"{self.kind.resource} isn't installed")
        self._served = found
        if self._streams_initially:
            await self._watch(sendInitialEvents="true", resourceVersionMatch="NotOlderThan")
        else:
            await self._list()

    async def _list(self) -> None:
        objects: list[Transformed] = []
        position = ""
        async for page in self._source.pages(self._served.path, **self._served.query):
            position = str(metadata_of(page).get("resourceVersion", ""))
            for item in page.get("items") or ():
                transformed = self._transformed(item)
                if transformed is not None:
                    objects.append(transformed)
        self._read(objects, position)

    async def _watch(self, **query: str | int) -> None:
        try:
            await self._take_events(**query)
        except APIError as error:
            if error.reason == TIMEOUT:
                # It isn't known when the watch died; later answers of the server to other requests don't show it.
                self._current = min(self._current, self._contact)
            raise
        finally:
            if self._lives:
                self._lives, self._ended = False, self._clock()

    async def _take_events(self, **query: str | int) -> None:
        initial: dict[tuple[str, str], Transformed] | None = {} if "sendInitialEvents" in query else None
        seconds = random.randint(*_WATCH_SECONDS)  # noqa: S311 - spreads the load, keeps no secret
        query |= self._served.query
        async for event in self._source.events(self._served.path, allowWatchBookmarks="true", timeoutSeconds=seconds, **query):
            self._contact = self._clock()
            if initial is None:
                self._current, self._lives = self._contact, True
                self._enter(WatchState.FOLLOWING)
            obj = event.get("object")
            if not isinstance(obj, dict):
                continue
            self._failures = 0
            if event.get("type") == "ERROR":
                raise APIError(int(obj.get("code") or 500), str(obj.get("reason", "")), str(obj.get("message", "")))
            metadata = metadata_of(obj)
            if initial is None:
                self._take(str(event.get("type")), obj)
            elif event.get("type") == "BOOKMARK":
                if (metadata.get("annotations") or {}).get(_INITIAL_EVENTS_END) == "true":
                    self._read(list(initial.values()), str(metadata.get("resourceVersion", "")))
                    initial = None
            else:
                transformed = self._transformed(obj)
                if transformed is not None:
                    initial[str(metadata.get("namespace", "")), str(metadata.get("name", ""))] = transformed
            if initial is None:
                self._lives = True
                self._position = str(metadata.get("resourceVersion") or self._position)
        if initial is None:
            # The server has ended the watch, so it has sent every change.
            self._contact = self._current = self._clock()

    def _read(self, objects: list[Transformed], position: str) -> None:
        self._sink.replace(self.kind, objects)
        self._position, self._failures, self._current = position, 0, self._clock()
        self._enter(WatchState.FOLLOWING)
        self.is_settled = True

    def _take(self, what: str, obj: JSONObject) -> None:
        if what == "DELETED":
            self._sink.discard(self.kind, obj)
        elif what in {"ADDED", "MODIFIED"}:
            transformed = self._transformed(obj)
            if transformed is not None:
                self._sink.put(self.kind, transformed)

    def _transformed(self, obj: JSONObject) -> Transformed | None:
        # The items of a list don't name their kind.
        return self._transform({"apiVersion": self._served.gvk.api_version, "kind": self._served.gvk.kind} | obj)

    def _after(self, error: APIError) -> float:
        """The next state after a failure, and how long to wait."""
        if error.status == 410:
            self._position = ""
            return 0.0 if self._failures == 0 else self._backoff()
        if error.status in {400, 422} and self._streams_initially and not self._position:
            self._streams_initially = False
            return 0.0
        if error.status == 404:
            return self._after_absence()
        if error.status in {401, 403} and self._failures >= self._patience():
            self._position = ""
            self._sink.unknown(self.kind)
            self._settle(WatchState.FORBIDDEN, str(error))
            return _LONGEST_WAIT
        wait = self._backoff()
        if self.state is not WatchState.LOST:
            self._enter(WatchState.INTERRUPTED if self.is_settled else WatchState.STARTING, str(error))
            if self.age() > self._longest_age:
                self._position = ""
                self._sink.unknown(self.kind)
                self._enter(WatchState.LOST, str(error))
        return wait

    def _after_absence(self) -> float:
        """The kind isn't served, or no longer in its version, so discovery decides."""
        if self._position:
            self._position = ""
            return self._backoff()
        self._sink.replace(self.kind, [])
        self._settle(WatchState.ABSENT)
        if not self._hurried:
            return _LONGEST_WAIT
        self._hurried -= 1
        return _SHORTEST_WAIT

    def _patience(self) -> int:
        """The number of refusals that are tolerated.

        An API server that has just started, or a token that is being replaced, needs some seconds.
        """
        return 3 if self.state in {WatchState.FOLLOWING, WatchState.INTERRUPTED} else 0

    def _backoff(self) -> float:
        self._failures += 1
        longest: float = min(_LONGEST_WAIT, _SHORTEST_WAIT * 2 ** min(self._failures - 1, 10))
        return longest * (0.5 + random.random() / 2)  # noqa: S311

    def _settle(self, state: WatchState, why: str = "") -> None:
        self._enter(state, why)
        self.is_settled = True

    def _enter(self, state: WatchState, why: str = "") -> None:
        if state is not self.state:
            level = logging.WARNING if state in _TROUBLE else logging.INFO
            _log.log(level, "%s: %s", self.kind.resource, state, extra={FIELDS: {"reason": why} if why else {}})
        self.state = state

    async def _pause(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        try:
            async with asyncio.timeout(seconds):
                await self._look_again.wait()
        except TimeoutError:
            return
        finally:
            self._look_again.clear()
