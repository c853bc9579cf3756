"""Puts definitions directly into etcd: states that only older servers could have accepted."""

from __future__ import annotations

import base64
import json
import time
import urllib.request
from collections.abc import Callable
from functools import partial

from tests.acceptance.answers import DEFINITIONS, Client
from weighbridge.policies.ground.objects import JSONObject

_PREFIX = "/registry/apiextensions.k8s.io/customresourcedefinitions/"
_WAIT_SECONDS = 20.0


class Storage:
    """The store of the definitions of one control plane."""

    def __init__(self, etcd_url: str, client: Client) -> None:
        self._url = etcd_url
        self._client = client
        self._stored: set[str] = set()

    def put(self, definition: JSONObject) -> JSONObject:
        """Store a definition, and return it as the server reads it once its controllers have left it alone."""
        name = definition["metadata"]["name"]
        self._stored.add(name)
        self._post("put", {"key": _encoded(_PREFIX + name), "value": _encoded(json.dumps(definition))})
        return self._settled(name)

    def remove_all(self) -> None:
        """Remove the definitions that were put in."""
        for name in self._stored:
            self._post("deleterange", {"key": _encoded(_PREFIX + name)})
            self._wait(partial(self._is_gone, name))
        self._stored.clear()

    def _is_gone(self, name: str) -> bool:
        return self._client.send("GET", f"{DEFINITIONS}/{name}")[0] == 404

    def _settled(self, name: str) -> JSONObject:
        found: list[JSONObject] = []

        def is_settled() -> bool:
            code, body, _ = self._client.send("GET", f"{DEFINITIONS}/{name}")
            if code == 200:
                found.append(body)
            return len(found) > 2 and found[-1] == found[-3]

        self._wait(is_settled)
        return found[-1]

    def _post(self, what: str, body: JSONObject) -> None:
        request = urllib.request.Request(f"{self._url}/v3/kv/{what}", json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=10) as answer:
            answer.read()

    def _wait(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _WAIT_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError("the server hasn't taken notice of what was stored")
            time.sleep(0.05)


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
