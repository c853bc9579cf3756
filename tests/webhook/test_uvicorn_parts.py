"""The parts of uvicorn beyond its documented interface that the server uses: their names, their signatures, their behaviour.

A new version of uvicorn may change them without notice. Then these tests fail, and show which part the protocol and the server in
`webhook/server/connections` can't rely on any more. If our code begins to use another part, list it here.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from tests.webhook.uvicorn_connection import (
    ANSWER,
    CALL,
    HEAD,
    Recording,
    Transport,
    answers,
    configured,
    connected,
    never_answers,
    reads_and_answers,
    run_bounded,
    settled,
)
from weighbridge.webhook.server.connections import http_server, protocol

#: Methods of a connection that ours overrides or calls, with their parameters.
_METHODS: Final = {
    "__init__": ["config", "server_state", "app_state", "_loop"],
    "connection_made": ["transport"],
    "connection_lost": ["exc"],
    "data_received": ["data"],
    "on_header": ["name", "value"],
    "on_body": ["body"],
    "on_message_begin": [],
    "on_headers_complete": [],
    "on_message_complete": [],
    "on_response_complete": [],
    "send_400_response": ["msg"],
    "timeout_keep_alive_handler": [],
    "_unset_keepalive_if_required": [],
}
#: Attributes of a connection, with their values before the first request.
_ATTRIBUTES: Final[dict[str, type]] = {
    "config": uvicorn.Config,
    "client": type(None),
    "connections": set,
    "cycle": type(None),
    "headers": type(None),
    "loop": asyncio.AbstractEventLoop,
    "pipeline": deque,
    "server_state": ServerState,
    "timeout_keep_alive": int,
    "timeout_keep_alive_task": type(None),
    "transport": type(None),
}
#: Attributes of a connection that exist from the first byte of a request on.
_OF_A_REQUEST: Final = ("scope", "url")
#: Methods of a server.
_SERVER_METHODS: Final = {"__init__": ["config"], "capture_signals": [], "serve": ["sockets"], "startup": ["sockets"]}
#: Attributes of a server; `servers` and `lifespan` are created while it starts.
_SERVER_ATTRIBUTES: Final = ("config", "force_exit", "lifespan", "server_state", "servers", "should_exit", "started")


def _parameters(function: Callable[..., Any]) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def _named_in(module: Any, names: set[str]) -> set[str]:
    """Which of the names the module has as an attribute or a method."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {node.name for body in bodies for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return (attributes | methods) & names


@pytest.mark.parametrize("name", _METHODS)
def test_connection_has_the_method(name: str) -> None:
    assert _parameters(getattr(HttpToolsProtocol, name)) == _METHODS[name]


@pytest.mark.parametrize("name", _SERVER_METHODS)
def test_server_has_the_method(name: str) -> None:
    assert _parameters(getattr(uvicorn.Server, name)) == _SERVER_METHODS[name]


def test_connection_has_the_attributes() -> None:
    async def test() -> None:
        made = HttpToolsProtocol(configured(answers), ServerState(), {})
        found = {name: getattr(made, name, ...) for name in _ATTRIBUTES}
        assert [name for name, kind in _ATTRIBUTES.items() if not isinstance(found[name], kind)] == []
        made.connection_made(Transport())
        made.data_received(b"POST ")
        assert [name for name in _OF_A_REQUEST if not hasattr(made, name)] == []

    run_bounded(test)


def test_every_part_of_a_connection_that_is_used_is_listed_here() -> None:
    async def test() -> None:
        made, _ = connected()
        made.data_received(b"P")
        theirs = set(dir(made)) - set(dir(object)) - {"seen"} | {"__init__"}
        listed = {*_METHODS, *_ATTRIBUTES, *_OF_A_REQUEST}
        assert _named_in(protocol, theirs) <= listed

    run_bounded(test)


def test_every_part_of_a_server_that_is_used_is_listed_here() -> None:
    theirs = (set(dir(uvicorn.Server(configured(answers)))) | set(_SERVER_ATTRIBUTES)) - set(dir(object))
    assert _named_in(http_server, theirs) <= {*_SERVER_METHODS, *_SERVER_ATTRIBUTES}


def test_parser_tells_of_each_step_while_it_is_fed() -> None:
    async def test() -> None:
        made, transport = connected()
        made.data_received(CALL)
        assert made.seen == ["message begins", "head of /validate?timeout=3s with 2", "message ends"]
        assert transport.written == b""
        await settled()
        assert made.seen[3:] == ["answered"]
        assert transport.written == ANSWER
        assert not transport.closed

    run_bounded(test)


def test_parser_tells_of_a_request_with_its_first_byte_and_of_its_url_and_headers_as_they_come() -> None:
    async def test() -> None:
        made, _ = connected()
        made.data_received(b"P")
        assert (made.seen, made.url, made.headers) == (["message begins"], b"", [])
        made.data_received(HEAD[1:] + b"X-A: 1\r\nX-B: 2")
        assert made.url == b"/validate?timeout=3s"
        assert made.headers == [(b"host", b"weighbridge"), (b"x-a", b"1")]
        assert made.seen == ["message begins"]

    run_bounded(test)


def test_error_of_ours_in_a_callback_is_a_bad_request_that_the_application_does_not_see() -> None:
    async def test() -> None:
        made, transport = connected()
        made.data_received(b"POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
        await settled()
        assert made.seen == ["message begins", "head of /refused with 2"]
        assert transport.written.startswith(b"HTTP/1.1 400 ")
        assert transport.closed
        assert made.cycle is None

    run_bounded(test)


def test_bad_request_is_answered_and_its_connection_closed() -> None:
    async def test() -> None:
        made, transport = connected()
        made.send_400_response("too large")
        head, _, body = transport.written.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert b"\r\nconnection: close" in head
        assert body == b"too large"
        assert transport.closed

    run_bounded(test)


def test_garbage_is_a_bad_request() -> None:
    async def test() -> None:
        made, transport = connected()
        made.data_received(b"\x16\x03\x01\x00\xff nonsense\r\n\r\n")
        assert transport.written.startswith(b"HTTP/1.1 400 ")
        assert transport.closed

    run_bounded(test)


def test_answered_call_starts_the_idle_time_and_any_byte_stops_it() -> None:
    async def test() -> None:
        made, transport = connected(timeout_keep_alive=120)
        assert made.timeout_keep_alive == 120
        made.data_received(CALL)
        assert made.timeout_keep_alive_task is None
        await settled()
        timer = made.timeout_keep_alive_task
        assert timer is not None
        assert 110 < timer.when() - made.loop.time() <= 120
        made.data_received(b"P")
        assert timer.cancelled()
        assert made.timeout_keep_alive_task is None
        assert not transport.closed
        made.timeout_keep_alive_handler()
        assert transport.closed

    run_bounded(test)


def test_idle_time_can_be_started_and_stopped_by_us() -> None:
    async def test() -> None:
        made, _ = connected()
        timer = made.timeout_keep_alive_task = made.loop.call_later(120, made.timeout_keep_alive_handler)
        made._unset_keepalive_if_required()
        assert timer.cancelled()
        assert made.timeout_keep_alive_task is None

    run_bounded(test)


def test_cycle_tells_whether_a_call_is_being_answered() -> None:
    async def test() -> None:
        made, _ = connected()
        assert made.cycle is None
        made.data_received(HEAD + b"Content-Length: 2\r\n\r\n{")
        await settled()
        assert not made.cycle.response_complete
        made.data_received(b"}")
        await settled()
        assert made.cycle.response_complete

    run_bounded(test)


def test_body_that_is_not_read_is_passed_over_and_its_end_told() -> None:
    async def test() -> None:
        made, transport = connected(answers)
        made.data_received(HEAD + b"Content-Length: 4\r\n\r\n{")
        await settled()
        assert made.seen[-1] == "answered"
        made.data_received(b"  ")
        assert made.seen[-1] == "answered"
        made.data_received(b"}")
        assert made.seen[-1] == "message ends"
        assert transport.written == ANSWER
        assert not transport.closed

    run_bounded(test)


def test_requests_that_come_together_are_answered_one_after_the_other() -> None:
    async def test() -> None:
        made, transport = connected()
        made.data_received(CALL * 2 + b"POST ")
        assert made.seen.count("message begins") == 3
        assert not transport.reading
        assert not made.cycle.response_complete
        await settled()
        assert transport.written == ANSWER * 2
        assert transport.reading

    run_bounded(test)


def test_connections_are_counted_from_when_they_are_made_until_they_are_lost() -> None:
    async def test() -> None:
        made, _ = connected(never_answers)
        assert made.connections is made.server_state.connections
        assert made.connections == {made}
        made.data_received(CALL)
        await settled()
        made.connection_lost(ConnectionResetError())
        assert made.connections == set()
        assert made.cycle.disconnected

    run_bounded(test)


def test_server_is_started_by_its_own_startup_and_ends_when_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    config = configured(answers, ssl_context_factory=lambda *_: context)
    made = uvicorn.Server(config)
    captured = made.capture_signals

    def capture_signals() -> AbstractContextManager[None]:
        seen.append("signals")
        return captured()

    async def startup(sockets: Any = None) -> None:
        seen.append(f"startup {sockets}")
        assert config.ssl is context
        assert isinstance(config.backlog, int)
        assert made.lifespan.state == {}
        made.servers = []
        made.started = True

    monkeypatch.setattr(made, "capture_signals", capture_signals)
    monkeypatch.setattr(made, "startup", startup)

    async def test() -> None:
        serving = asyncio.create_task(made.serve([]))
        while not made.started:
            await asyncio.sleep(0)
        assert not serving.done()
        made.should_exit = True
        await serving

    run_bounded(test)
    assert seen == ["signals", "startup []"]


def test_server_that_ends_closes_idle_connections_and_waits_for_calls() -> None:
    async def test() -> None:
        made = uvicorn.Server(configured(reads_and_answers, timeout_graceful_shutdown=15))
        made.config.load()
        made.lifespan = made.config.lifespan_class(made.config)
        made.servers = []
        connections = [Recording(made.config, made.server_state, {}, asyncio.get_running_loop()) for _ in range(2)]
        idle, busy = (Transport(), Transport())
        for connection, transport in zip(connections, (idle, busy), strict=True):
            connection.connection_made(transport)
        connections[1].data_received(HEAD + b"Content-Length: 2\r\n\r\n{")
        ending = asyncio.create_task(made.shutdown([]))
        await settled()
        assert idle.closed
        assert not busy.closed
        connections[0].connection_lost(None)
        connections[1].data_received(b"}")
        while not busy.closed:
            await asyncio.sleep(0)
        assert busy.written == ANSWER.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")
        connections[1].connection_lost(None)
        await ending

    run_bounded(test)
