"""The running server: over TLS, with kept connections, and with hostile callers."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.webhook.reviews import UID, model, review
from tests.webhook.serving import Server, ask, serving, wait_for

_MIB = 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that don't change it."""
    with serving(tmp_path_factory.mktemp("certificates"), ["--concurrency", "8", "--max-body", str(2 * _MIB)]) as running:
        yield running


@contextmanager
def _raw(server: Server) -> Iterator[ssl.SSLSocket]:
    """A TLS connection on which tests can send anything."""
    plain = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    with server.trust().wrap_socket(plain, server_hostname="127.0.0.1") as connection:
        yield connection


def _head(*headers: str, path: str = "/validate?timeout=3s") -> bytes:
    lines = (f"POST {path} HTTP/1.1", "Host: weighbridge", "Content-Type: application/json", *headers, "", "")
    return "\r\n".join(lines).encode()


def _answer(connection: ssl.SSLSocket) -> bytes:
    """Everything that is received until the server closes or the first answer is complete."""
    received = b""
    while b"\r\n\r\n" not in received or not received.endswith(b"}"):
        part = connection.recv(65536)
        if not part:
            break
        received += part
    return received


def test_review_is_answered_by_the_engine(server: Server) -> None:
    status, answer = server.call(review(model()))
    assert (status, answer["response"]["uid"]) == (200, UID)


def test_many_calls_go_through_one_connection(server: Server) -> None:
    connection = server.connect()
    ask(connection, review())
    local = connection.sock.getsockname()
    for number in range(50):
        status, answer = ask(connection, review(uid=f"uid-{number}"))
        assert (status, answer["response"]["uid"]) == (200, f"uid-{number}")
        assert connection.sock is not None
        assert connection.sock.getsockname() == local
    connection.close()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b'{"a":NaN}', b'"\\ud800"', b"\xff\xfe", b"[" * (2 * _MIB), b'{"a":' * (_MIB // 4)],
    ids=["empty", "cut off", "null", "NaN", "surrogate", "no UTF-8", "two MiB of brackets", "nested objects"],
)
def test_malformed_body_gets_a_clear_error_on_a_connection_that_stays(server: Server, body: bytes) -> None:
    connection = server.connect()
    status, answer = ask(connection, body)
    assert (status, list(answer)) == (400, ["error"])
    assert ask(connection, review())[0] == 200
    connection.close()


def test_object_nested_as_deep_as_json_may_be_is_answered(server: Server) -> None:
    deep: object = "bottom"
    for _ in range(900):
        deep = {"a": [deep]} if isinstance(deep, str) else [deep]
    for path in ("/mutate", "/validate"):
        body = review(model(deep=deep), operation="UPDATE", oldObject=model(deep=[deep]))
        status, answer = server.call(body, path)
        assert (status, answer["response"]["uid"]) == (200, UID)


@pytest.mark.parametrize("size", [3 * _MIB, 40 * _MIB])
def test_body_that_is_too_large_gets_its_answer_while_it_is_still_sent(server: Server, size: int) -> None:
    status, answer = server.call(b" " * size)
    assert (status, str(2 * _MIB) in answer["error"]) == (413, True)


def test_chunked_body_that_is_too_large_gets_its_answer(server: Server) -> None:
    with _raw(server) as connection:
        connection.sendall(_head("Transfer-Encoding: chunked"))
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(48):
            connection.sendall(chunk)
        connection.sendall(b"0\r\n\r\n")
        answer = _answer(connection)
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b"connection: close" in answer
        assert connection.recv(1) == b""


def test_chunked_body_is_judged(server: Server) -> None:
    body = review()
    with _raw(server) as connection:
        connection.sendall(_head("Transfer-Encoding: chunked"))
        for at in range(0, len(body), 100):
            part = body[at : at + 100]
            connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        connection.sendall(b"0\r\n\r\n")
        assert _answer(connection).startswith(b"HTTP/1.1 200 ")


def test_body_longer_than_its_header_says_is_not_read_as_one(server: Server) -> None:
    with _raw(server) as connection:
        connection.sendall(_head("Content-Length: 10") + review())
        assert _answer(connection).startswith(b"HTTP/1.1 400 ")


def test_body_that_never_ends_is_given_up_at_the_deadline(server: Server) -> None:
    body = review()
    with _raw(server) as connection:
        connection.sendall(_head(f"Content-Length: {len(body) + 1}", path="/validate?timeout=400ms") + body)
        answer = _answer(connection)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert connection.recv(1) == b""


def test_slow_bodies_take_no_places_and_only_of_each_other(server: Server) -> None:
    before = server.metric('weighbridge_calls_turned_away_total{reason="too_slow"}')
    body = review()
    slow = [_slow_call(server, body) for _ in range(8)]
    wait_for(_awaiting(server, 8))
    # Complete calls are judged, however many bodies are awaited.
    assert [server.call(body)[0] for _ in range(3)] == [200] * 3
    # One more body than there are places: the connection that has waited longest is closed.
    slow.append(_slow_call(server, body))
    answer = slow[0].getresponse()
    assert (answer.status, answer.headers["Connection"]) == (408, "close")
    assert "this one was the slowest" in json.loads(answer.read())["error"]
    slow[0].close()
    for connection in slow[1:]:
        connection.send(body[-1:])
        assert connection.getresponse().status == 200
        connection.close()
    wait_for(lambda: server.metric('weighbridge_calls_turned_away_total{reason="too_slow"}') == before + 1)


def _slow_call(server: Server, body: bytes) -> http.client.HTTPSConnection:
    """Sends a call without its last byte."""
    connection = server.connect()
    connection.putrequest("POST", "/validate?timeout=10s")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body[:-1])
    return connection


def _awaiting(server: Server, number: int) -> Callable[[], bool]:
    """Whether so many bodies are awaited; the page may be a second old."""
    return lambda: server.metric("weighbridge_bodies_arriving") == number


def test_health_port_speaks_plain_http(server: Server) -> None:
    assert server.page("/readyz") == (200, "ok\n")
    assert server.page("/livez") == (200, "ok\n")
    assert server.metric("weighbridge_ready") == 1
    assert server.metric("weighbridge_certificate_not_after_timestamp_seconds") > 1.7e9


def test_plain_http_on_the_webhooks_port_is_no_answer(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as plain:
        plain.sendall(b"GET /validate HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"HTTP/1.1" not in plain.recv(100)
    assert server.call(review())[0] == 200


def test_bad_calls_log_no_traceback(server: Server, tmp_path: Path) -> None:
    for body in (b"", b"[" * _MIB, review(operation="?"), review(kind=7)):
        server.call(body)
    assert not [line for line in server.lines if "traceback" in line]
