"""The server ends without losing a call, unless it gets a second signal."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path
from random import Random

import pytest

from tests.programs.soak.hostile import ATTEMPTS, Target
from tests.webhook.load import Load
from tests.webhook.reviews import review
from tests.webhook.serving import ask, serving, wait_for


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_no_call_is_lost_while_the_server_drains(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, ["--drain-seconds", "2"]) as server:
        idle = server.connect()
        assert ask(idle, review())[0] == 200
        load = Load(server)
        threads = load.start(4)
        wait_for(lambda: load.answered > 100)
        server.send(number)
        server.logged("draining")
        assert server.page("/readyz") == (503, "draining\n")
        assert server.page("/livez")[0] == 200
        before = load.answered
        wait_for(lambda: load.closed > 20)
        # By now a cluster sends its calls to other replicas.
        load.stop.set()
        for thread in threads:
            thread.join()
        assert load.lost == []
        assert load.answered > before
        assert idle.sock is not None
        assert idle.sock.recv(1) == b""
        idle.close()
        assert server.wait() == 0
    assert [line["message"] for line in server.lines if line["logger"] == "weighbridge.server"] == ["serving", "draining", "stopped"]


def test_calls_that_wait_for_the_one_before_them_are_answered_once_they_are_sent_again(tmp_path: Path) -> None:
    at_once = next(attempt for attempt in ATTEMPTS if attempt.name == "three calls at once")
    with serving(tmp_path, ["--drain-seconds", "5"]) as server:
        server.send(signal.SIGTERM)
        server.logged("draining")
        target = Target(server.port, server.trust(), server.health)
        assert asyncio.run(at_once.run(target, Random(1))) == ("200 200 200", True)


def test_call_that_is_being_answered_when_serving_stops_is_finished(tmp_path: Path) -> None:
    with serving(tmp_path, ["--drain-seconds", "0"]) as server:
        connection, body = server.connect(), review()
        connection.putrequest("POST", "/validate?timeout=10s")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body[:10])
        wait_for(lambda: server.metric("weighbridge_bodies_arriving") == 1)
        server.send(signal.SIGTERM)
        server.logged("draining")
        time.sleep(0.5)
        assert server.process.poll() is None
        connection.send(body[10:])
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Connection"]) == (200, "close")
        answer.read()
        connection.close()
        assert server.wait() == 0


@pytest.mark.parametrize(("second", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_second_signal_does_not_wait(tmp_path: Path, second: signal.Signals, code: int) -> None:
    with serving(tmp_path, ["--drain-seconds", "600"]) as server:
        server.send(signal.SIGTERM)
        server.logged("draining")
        server.send(second)
        assert server.wait() == code
