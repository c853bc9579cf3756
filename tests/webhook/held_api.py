"""An API server that also lists and accepts writes, for code that does more than read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import pytest

from tests.webhook.answering_api import AnsweringAPI, Reply
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI


class HeldAPI(AnsweringAPI):
    """Gives a path's answer as a list of one page; `sent` has what was written, and `queries` the query of each path."""

    def __init__(self, replies: Mapping[str, Reply], refusals: Mapping[str, APIError] | None = None) -> None:
        super().__init__(replies)
        self._refusals = refusals or {}
        self.sent: list[tuple[str, str, JSONObject, dict[str, Any]]] = []
        self.queries: dict[str, dict[str, Any]] = {}
        self.is_closed = False

    def connected(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
        """Makes this the cluster for all connections; gives the arguments of each connection."""
        made: list[tuple[Any, ...]] = []

        async def connect(*arguments: Any, only_regular: bool = False) -> KubernetesAPI:
            made.append(arguments)
            return self.api

        monkeypatch.setattr(KubernetesAPI, "connect", connect)
        return made

    async def get(self, path: str, **query: str | int) -> JSONObject:
        """Gives an object or a list."""
        self.queries[path] = query
        return cast(JSONObject, self._reply(path))

    async def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        """Gives a list."""
        yield await self.get(path, **query)

    async def send(self, method: str, path: str, body: JSONObject, **query: Any) -> JSONObject:
        """Accepts a write, unless writes of its method are refused."""
        self.sent.append((method, path, body, query))
        if method in self._refusals:
            raise self._refusals[method]
        return body

    async def close(self) -> None:
        """Notes that it was closed."""
        self.is_closed = True
