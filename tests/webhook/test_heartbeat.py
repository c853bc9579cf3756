"""The heartbeat, which repeatedly checks whether the API server answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster import heartbeat
from weighbridge.webhook.cluster.heartbeat import Heartbeat
from weighbridge.webhook.cluster.kubernetes_api import APIError


class Server:
    """A server whose next answer is set beforehand; without one it doesn't answer."""

    def __init__(self) -> None:
        self.answer: JSONObject | APIError | None = {}
        self.while_silent: Callable[[], None] = lambda: None

    async def get(self, path: str) -> JSONObject:
        if self.answer is None:
            self.while_silent()
            await asyncio.Event().wait()
        if isinstance(self.answer, APIError):
            raise self.answer
        assert self.answer is not None
        return self.answer


class Watched:
    """A heartbeat with a clock that tests move; it counts how often the server came back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(heartbeat, "_PATIENCE_SECONDS", 0.01)
        self.now, self.returns, self.answers, self.server = 0.0, 0, 0, Server()
        self.heartbeat = Heartbeat(self.server, self._back, self._there, lambda: self.now)

    def _back(self) -> None:
        self.returns += 1

    def _there(self) -> None:
        self.answers += 1

    def beat(self, at: float, answer: JSONObject | APIError | None) -> float:
        """The age after a beat."""
        self.now, self.server.answer = at, answer
        asyncio.run(self.heartbeat.beat())
        return self.heartbeat.age()


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.mark.parametrize("silence", [None, APIError(0, "", "connection refused")])
def test_facts_age_from_the_last_answer_until_the_next(watched: Watched, silence: APIError | None) -> None:
    assert [watched.beat(at, answer) for at, answer in ((3, {}), (6, silence), (9, silence), (10, {}), (13, {}))] == [0, 3, 6, 0, 0]
    assert (watched.returns, watched.answers) == (1, 2)


def test_a_refusal_is_an_answer(watched: Watched) -> None:
    assert watched.beat(3, APIError(403, "Forbidden", "")) == 0
    assert watched.beat(6, APIError(500, "InternalError", "")) == 0
    assert watched.returns == 0


def test_who_was_too_busy_to_listen_blames_nobody(watched: Watched) -> None:
    def be_busy() -> None:
        watched.now += 20

    watched.server.while_silent = be_busy
    assert watched.beat(3, None) == 0
    assert watched.returns == 0


def test_each_answer_says_the_servers_version() -> None:
    server, heard = Server(), list[str]()
    beating = Heartbeat(server, lambda: None, lambda: None, heard=heard.append)
    for answer in ({"gitVersion": "v1.36.3"}, {}, APIError(403, "", "forbidden"), {"gitVersion": "v1.37.2"}):
        server.answer = answer
        asyncio.run(beating.beat())
    assert heard == ["v1.36.3", "v1.37.2"]
