"""The HTTP requests to a cluster, and the results of its answers."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import pytest
from aiohttp import web
from kubernetes.aio.client import ApiClient, Configuration
from kubernetes.aio.client.exceptions import ApiException

from tests.webhook.kubeconfigs import kubeconfig
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI

T = TypeVar("T")
#: A status, a body, and headers.
Answer = tuple[int, bytes, dict[str, str]]


class Server:
    """Gives its answers in order; `asked` are the method, path with query, content type of a body, and body of each request."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, str, str | None, Any]] = []
        self.headers: list[dict[str, str]] = []

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        content_type = request.headers.get("Content-Type") if body else None
        self.asked.append((request.method, unquote(request.path_qs), content_type, json.loads(body) if body else None))
        self.headers.append({name: request.headers.get(name, "") for name in ("Accept", "User-Agent", "Authorization")})
        status, content, headers = self._answers.pop(0)
        return web.Response(status=status, body=content, headers=headers)


def asked(folder: Path, answers: Sequence[Answer], call: Callable[[KubernetesAPI], Awaitable[T]]) -> tuple[T, Server]:
    """The result of a call, and the server that answered it."""
    server = Server(answers)

    async def run() -> T:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", server.answer)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        api = await KubernetesAPI.connect(kubeconfig(folder, f"http://127.0.0.1:{port}"))
        try:
            async with asyncio.timeout(20):
                return await call(api)
        finally:
            await api.close()
            await runner.cleanup()

    return asyncio.run(run()), server


def reply(content: Any, status: int = 200, **headers: str) -> Answer:
    return status, json.dumps(content).encode(), headers


def test_an_object_is_read_as_json_under_our_name(tmp_path: Path) -> None:
    found, server = asked(tmp_path, [reply({"a": 1})], lambda api: api.get("/api/v1/nodes/a", limit=1, watch="no"))
    assert found == {"a": 1}
    assert server.asked == [("GET", "/api/v1/nodes/a?limit=1&watch=no", None, None)]
    assert server.headers == [{"Accept": "application/json", "User-Agent": "weighbridge", "Authorization": "Bearer secret"}]


def test_a_page_of_text_is_read_whatever_its_bytes(tmp_path: Path) -> None:
    found, server = asked(tmp_path, [(200, b"up 1\xff\n", {})], lambda api: api.text("/metrics"))
    assert found == "up 1\N{REPLACEMENT CHARACTER}\n"
    assert server.asked == [("GET", "/metrics", None, None)]


@pytest.mark.parametrize(
    ("method", "content_type"), [("POST", "application/json"), ("PUT", "application/json"), ("PATCH", "application/apply-patch+yaml")]
)
def test_what_is_written_is_sent_as_its_method_wants_it(tmp_path: Path, method: str, content_type: str) -> None:
    found, server = asked(tmp_path, [reply({"kind": "Secret"}, 201)], lambda api: api.send(method, "/api/v1/x", {"b": [2]}, force="true"))
    assert found == {"kind": "Secret"}
    assert server.asked == [(method, "/api/v1/x?force=true", content_type, {"b": [2]})]


@pytest.mark.parametrize(
    ("headers", "warnings"), [({}, []), ({"Warning": '299 - "deprecated"'}, ['299 - "deprecated"'])], ids=["no warning", "a warning"]
)
def test_an_answer_comes_with_its_warnings(tmp_path: Path, headers: dict[str, str], warnings: list[str]) -> None:
    found, server = asked(tmp_path, [reply({"kind": "X"}, 200, **headers)], lambda api: api.ask("/apis/x", {"kind": "X"}, dryRun="All"))
    assert found == ({"kind": "X"}, warnings)
    assert server.asked == [("POST", "/apis/x?dryRun=All", "application/json", {"kind": "X"})]


def test_a_list_is_read_page_by_page_to_its_end(tmp_path: Path) -> None:
    async def pages(api: KubernetesAPI) -> list[JSONObject]:
        return [page async for page in api.pages("/api/v1/pods", labelSelector="a=b")]

    sent: list[JSONObject] = [
        {"metadata": {"continue": "next"}, "items": [1]},
        {"metadata": {"continue": "last"}, "items": [2]},
        {"metadata": {"continue": ""}},
    ]
    found, server = asked(tmp_path, [*map(reply, sent)], pages)
    assert found == sent
    first = "/api/v1/pods?limit=100&labelSelector=a=b"
    assert [path for _, path, _, _ in server.asked] == [first, f"{first}&continue=next", f"{first}&continue=last"]
    assert asked(tmp_path, [reply({"metadata": None})], pages)[0] == [{"metadata": None}]


def watched(folder: Path, content: bytes) -> tuple[list[JSONObject], str, Server]:
    """The events of a watch, and how it fails."""
    seen: list[JSONObject] = []

    async def events(api: KubernetesAPI) -> str:
        try:
            async for event in api.events("/api/v1/nodes", resourceVersion="5"):
                seen.append(event)  # noqa: PERF401 - it keeps what came before the failure
        except APIError as error:
            return f"{error.status} {error}"
        return ""

    failed, server = asked(folder, [(200, content, {})], events)
    return seen, failed, server


def test_a_watch_begins_with_an_empty_event_and_ends_with_its_stream(tmp_path: Path) -> None:
    seen, failed, server = watched(tmp_path, b'{"type":"ADDED"}\n[]\n{"type":"DELETED"}\n')
    assert (seen, failed) == ([{}, {"type": "ADDED"}, {"type": "DELETED"}], "")
    assert server.asked == [("GET", "/api/v1/nodes?watch=1&resourceVersion=5", None, None)]


#: More levels than orjson reads. An API server stores objects with up to 10,000.
_DEEP = b'{"type":"MODIFIED","object":' + b"[" * 2_000 + b"]" * 2_000 + b"}"


def test_an_object_that_nests_deep_ends_neither_a_watch_nor_a_list(tmp_path: Path) -> None:
    seen, failed, _ = watched(tmp_path, b"\n".join((_DEEP, b'{"type":"ADDED"}', b"")))
    assert ([event.get("type") for event in seen], failed) == ([None, "MODIFIED", "ADDED"], "")
    found, _ = asked(tmp_path, [(200, b'{"kind":"List","items":[' + _DEEP + b"]}", {})], lambda api: api.get("/api/v1/nodes"))
    assert found["items"][0]["type"] == "MODIFIED"


def test_a_watch_that_breaks_off_within_a_deep_event_fails(tmp_path: Path) -> None:
    seen, failed, _ = watched(tmp_path, _DEEP[:-10])
    assert (seen, failed) == ([{}], "0 /api/v1/nodes: the watch broke off within an event")


def test_a_watch_that_breaks_off_within_an_event_fails(tmp_path: Path) -> None:
    seen, failed, _ = watched(tmp_path, b'{"type":"ADDED"}\n{"type":"DEL')
    assert seen == [{}, {"type": "ADDED"}]
    assert failed == "0 /api/v1/nodes: the watch broke off within an event"


def test_a_quiet_watch_is_waited_for_as_long_as_the_server_was_asked_to_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Any] = []

    class Noting(ApiClient):
        async def call_api(self, *_: Any, **more: Any) -> Any:
            limits.append(more["_request_timeout"])
            raise TimeoutError

    async def run() -> None:
        api = KubernetesAPI(Noting(Configuration()))
        for query in ({"timeoutSeconds": 600}, {}):
            with pytest.raises(APIError, match="no answer in time"):
                async for _ in api.events("/api/v1/nodes", **query):
                    pass
        await api.close()

    asyncio.run(run())
    assert [(limit.total, limit.sock_read) for limit in limits] == [(630, None), (None, None)]


def test_a_connection_on_which_nothing_happens_is_probed(tmp_path: Path) -> None:
    async def probed(api: KubernetesAPI) -> list[int]:
        await api.get("/version")
        connector: Any = api._client.rest_client.pool_manager and api._client.rest_client.pool_manager.connector
        (held,) = (connection for connections in connector._conns.values() for connection, _ in connections)
        made = held.transport.get_extra_info("socket")
        options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE), *((socket.IPPROTO_TCP, getattr(socket, name)) for name in names)]
        return [made.getsockopt(*option) for option in options]

    names = [name for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT") if hasattr(socket, name)]
    found, _ = asked(tmp_path, [reply({})], probed)
    assert found[0] == 1
    assert found[1:] == [15, 5, 3][: len(names)]


STATUS = {"kind": "Status", "reason": "Forbidden", "message": "nodes is forbidden"}


@pytest.mark.parametrize(
    ("answer", "status", "reason", "said"),
    [
        (reply(STATUS, 403), 403, "Forbidden", "403 Forbidden: nodes is forbidden"),
        (reply(STATUS, 400), 400, "Forbidden", "400 Forbidden: nodes is forbidden"),
        (reply(STATUS, 503), 503, "Forbidden", "503 Forbidden: nodes is forbidden"),
        (reply({"message": "gone"}, 410), 410, "Gone", "410 Gone: gone"),
        (reply({"reason": "Expired"}, 410), 410, "Expired", "410 Expired: Expired"),
        (reply(["a", "b"], 404), 404, "Not Found", "404 Not Found: Not Found"),
        ((502, b"<html>", {}), 502, "Bad Gateway", "502 Bad Gateway: Bad Gateway"),
        ((200, b"<html>", {}), 0, "", "/version: the answer isn't JSON"),
        (reply([]), 0, "", "/version: the answer isn't an object"),
        (reply("text"), 0, "", "/version: the answer isn't an object"),
    ],
)
def test_an_answer_that_is_no_good_says_why_and_is_asked_for_once(
    tmp_path: Path, answer: Answer, status: int, reason: str, said: str
) -> None:
    async def refused(api: KubernetesAPI) -> APIError:
        with pytest.raises(APIError) as caught:
            await api.get("/version")
        return caught.value

    error, server = asked(tmp_path, [answer], refused)
    assert len(server.asked) == 1
    assert (error.status, error.reason, str(error)) == (status, reason, said)


def test_a_server_that_is_not_there_is_told_by_the_path_that_was_asked(tmp_path: Path) -> None:
    async def run() -> APIError:
        api = await KubernetesAPI.connect(kubeconfig(tmp_path, "http://127.0.0.1:1"))
        try:
            with pytest.raises(APIError) as caught:
                await api.get("/version")
        finally:
            await api.close()
        return caught.value

    error = asyncio.run(run())
    assert (error.status, error.reason) == (0, "")
    assert str(error).startswith("/version: Cannot connect to host 127.0.0.1:1")


@pytest.mark.parametrize(
    ("raised", "status", "reason", "said"),
    [
        (ApiException(status=401, reason="Unauthorized"), 401, "Unauthorized", "401 Unauthorized: /version: Unauthorized"),
        (ApiException(), 0, "", "/version: None"),
        (TimeoutError(), 0, "Timeout", "/version: no answer in time"),
        (OSError(errno.ETIMEDOUT, "timed out"), 0, "Timeout", f"/version: [Errno {errno.ETIMEDOUT}] timed out"),
        (OSError("no route"), 0, "", "/version: no route"),
        (ValueError("no url"), 0, "", "/version: no url"),
    ],
)
def test_what_the_client_fails_with_is_told_as_the_server_s(raised: Exception, status: int, reason: str, said: str) -> None:
    class Failing(ApiClient):
        async def call_api(self, *_: Any, **__: Any) -> Any:
            raise raised

    async def run() -> APIError:
        api = KubernetesAPI(Failing(Configuration()))
        with pytest.raises(APIError) as caught:
            await api.get("/version")
        await api.close()
        return caught.value

    error = asyncio.run(run())
    assert (error.status, error.reason, str(error)) == (status, reason, said)
