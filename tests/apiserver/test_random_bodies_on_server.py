"""The real kube-apiserver and ours give the same answers to random bodies."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tests.apiserver import random_bodies
from tests.apiserver.probe import send
from tests.apiserver.server import GROUP, PROBES, Server, ours, theirs
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import FieldValidation, JSONObject
from weighbridge.webhook.texts.json_syntax import JSONSyntaxError, NumberOverflowError, read_json_text
from weighbridge.webhook.texts.json_text import loads

pytestmark = pytest.mark.control_plane

#: Go walks maps in random order, so the server is asked again until its answer is ours.
TRIES = 100
PATHS = {"Probe": PROBES, "Nest": f"{GROUP}/namespaces/default/nests"}


@pytest.fixture
def kinds(probe: ResourceDefinition, nest: ResourceDefinition) -> dict[str, ResourceDefinition]:
    return {"Probe": probe, "Nest": nest}


def on_the_wire(body: JSONObject) -> JSONObject:
    """The body as it arrives, for example with whole floats as integers."""
    sent: JSONObject = loads(json_text(body).encode())
    return sent


def agrees(mine: dict[str, Any], ask: Callable[[], dict[str, Any]]) -> bool:
    return any(mine == ask() for _ in range(TRIES))


@pytest.mark.parametrize("seed", range(6))
def test_creations_get_the_same_answer(server: Server, kinds: dict[str, ResourceDefinition], seed: int) -> None:
    for number in range(60):
        random = Random(1000 * seed + number)
        kind, validation = random.choice(list(PATHS)), random.choice(list(FieldValidation))
        body, path = on_the_wire(random_bodies.body(random, kind)), f"{PATHS[kind]}?dryRun=All&fieldValidation={validation}"
        mine = ours(send(kinds[kind], body, validation=validation))
        assert agrees(mine, lambda path=path, body=body: theirs(server.send("POST", path, body))), (seed, number, body, mine)  # type: ignore[misc]


@pytest.mark.parametrize("seed", range(6))
def test_updates_get_the_same_answer(server: Server, kinds: dict[str, ResourceDefinition], seed: int) -> None:
    kind = list(PATHS)[seed % 2]
    server.send("POST", PATHS[kind], {"apiVersion": "weighbridge.test/v1", "kind": kind, "metadata": {"name": "a"}, "spec": {}})
    _, stored, _ = server.send("GET", f"{PATHS[kind]}/a")
    try:
        for number in range(50):
            random = Random(1000 * seed + number)
            validation, subresource = random.choice(list(FieldValidation)), random.choice(["", "", "/status"])
            body = on_the_wire(random_bodies.update(random, kind, stored))
            path = f"{PATHS[kind]}/a{subresource}?dryRun=All&fieldValidation={validation}"
            mine = ours(send(kinds[kind], body, stored, validation=validation, subresource=subresource[1:], name="a"))
            assert agrees(mine, lambda path=path, body=body: theirs(server.send("PUT", path, body))), (seed, number, body, mine)  # type: ignore[misc]
    finally:
        server.send("DELETE", f"{PATHS[kind]}/a")


def broken(random: Random) -> bytes:
    """The text of an object with a few bytes of it changed, put in or taken away."""
    values = {"x": [1, -2.5e3, True, None, 'é\u2028\\"'], "y": {"a": [], "b": {}}}
    text = bytearray(json.dumps({"kind": "Probe", "spec": values}, ensure_ascii=random.random() < 0.5).encode())
    for _ in range(random.choice([1, 1, 2])):
        at = random.randrange(len(text))
        pieces = [
            b"{",
            b"}",
            b"]",
            b'"',
            b",",
            b":",
            b"\\",
            b"0",
            b".",
            b"e",
            b"-",
            b"t",
            b"\n",
            b"\x00",
            b"\x7f",
            b"\xff",
            b"\\ud800",
            b"1e999",
        ]
        text[at : at + random.choice([0, 1, 1, 4])] = random.choice([*pieces, b""])
    return bytes(text)


def wording(text: bytes) -> str:
    """The text that the answer must have because of a syntax error; empty if there is none."""
    try:
        read_json_text(text)
    except NumberOverflowError as error:
        return f": {error}"
    except JSONSyntaxError as error:
        return f"json parse error: {error} ("
    return ""


@pytest.mark.parametrize("seed", range(3))
def test_broken_json_is_worded_as_the_server_words_it(server: Server, seed: int) -> None:
    for number in range(100):
        text = broken(Random(1000 * seed + number))
        _, answer, _ = server.send_text("POST", f"{PROBES}?dryRun=All&fieldValidation=Ignore", text)
        wrong = wording(text)
        assert (wrong in answer["message"]) if wrong else ("parse error: invalid" not in answer["message"]), text
