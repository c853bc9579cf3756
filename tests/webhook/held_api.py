"""An API server that also lists and is written to, for what does more than ask."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import pytest

from tests.webhook.answering_api import AnsweringAPI, Reply
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI


class HeldAPI(AnsweringAPI):
    """Lists in one page what a path is answered with; `sent` is what was written, `queries` the queries that came with the path."""

    def __init__(self, replies: Mapping[str, Reply], refusals: Mapping[str, APIError] | None = None) -> None:
        super().__init__(replies)
        self._refusals = refusals or {}
        self.sent: list[tuple[str, str, JSONObject, dict[str, Any]]] = []
        self.queries: dict[str, dict[str, Any]] = {}
        self.is_closed = False

    def connected(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
        """Be the cluster that is connected to; gives what each connection was made with."""
        made: list[tuple[Any, ...]] = []

        async def connect(*arguments: Any, only_regular: bool = False) -> KubernetesAPI:
            made.append(arguments)
            return self.api

        monkeypatch.setattr(KubernetesAPI, "connect", connect)
        return made

    async def get(self, path: str, **query: str | int) -> JSONObject:
        """An object, or a list."""
        self.queries[path] = query
        return cast(JSONObject, self._reply(path))

    async def pages(self, path: str, **query: str) -> AsyncIterator[JSONObject]:
        """A list."""
        yield await self.get(path, **query)

    async def send(self, method: str, path: str, body: JSONObject, **query: Any) -> JSONObject:
        """Take what is written, unless that is refused."""
        self.sent.append((method, path, body, query))
        if method in self._refusals:
            raise self._refusals[method]
        return body

    async def close(self) -> None:
        """End it."""
        self.is_closed = True
