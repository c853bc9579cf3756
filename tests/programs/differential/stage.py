"""Prepares a control plane: CRDs, and objects that were stored when their schemas took anything.

Every CRD is first installed with a schema that accepts anything, then good and bad objects are stored, and then the real schema is
installed. So there are invalid stored objects, which updates have to deal with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from urllib.parse import quote

from tests.programs.differential.body_text import body_text
from tests.programs.differential.connection import Connections, Reply
from tests.programs.differential.resources import Crd, Edition
from weighbridge.policies.ground.objects import JSONObject

_CRDS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_WAIT_SECONDS: Final = 120.0
_PROBE: Final = "weighbridge-unknown-field"


class StageError(Exception):
    """The server refuses an object of the preparation."""


def _checked(reply: Reply, what: str) -> JSONObject:
    if reply.code >= 300 or not isinstance(reply.body, dict):
        raise StageError(f"{what}: {reply.code}: {reply.body if isinstance(reply.body, str) else reply.body.get('message')}")
    return reply.body


def _wait(what: str, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _WAIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise StageError(f"{what} within {_WAIT_SECONDS:.0f} s")
        time.sleep(0.1)


def install(connections: Connections, crds: Sequence[Crd]) -> None:
    """Create the CRDs with schemas that accept anything, and wait until each is served."""
    for crd in crds:
        _checked(connections.send_value("POST", _CRDS, crd.widened()), crd.name)
    for crd in crds:
        spec = crd.manifest["spec"]
        for version in spec["versions"]:
            if version["served"]:
                path = f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}"
                _wait(f"{path} isn't served", lambda path=path: connections.send("GET", path).code == 200)  # type: ignore[misc]


def narrow(connections: Connections, crds: Sequence[Crd], served: Sequence[Edition]) -> None:
    """Give each CRD its real schema, and wait until it holds."""
    for crd in crds:
        stored = _checked(connections.send("GET", f"{_CRDS}/{crd.name}"), crd.name)
        manifest = crd.manifest | {"metadata": crd.manifest["metadata"] | {"resourceVersion": stored["metadata"]["resourceVersion"]}}
        _checked(connections.send_value("PUT", f"{_CRDS}/{crd.name}", manifest), crd.name)
    for edition in served:
        if not edition.schema.preserve_unknown_fields:
            _wait(f"the schema of {edition} doesn't hold", lambda edition=edition: _knows_fields(connections, edition))  # type: ignore[misc]


def _knows_fields(connections: Connections, edition: Edition) -> bool:
    gvk = edition.definition.gvk
    body = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {"name": "probe"}, _PROBE: 1}
    reply = connections.send_value("POST", f"{edition.collection}?dryRun=All&fieldValidation=Strict", body)
    return reply.code == 400 and f'unknown field "{_PROBE}"' in reply.body["message"]


def store(connections: Connections, edition: Edition, bodies: Sequence[JSONObject], prefix: str) -> list[str]:
    """Store the objects under new names, and return these; objects that can't be stored at all are left out."""
    names = [f"{prefix}-{index}" for index in range(len(bodies))]
    texts = [body_text(body | {"metadata": {"name": name}}) for name, body in zip(names, bodies, strict=True)]
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda text: connections.send("POST", edition.collection, text), texts))
    return [name for name, reply in zip(names, replies, strict=True) if reply.code == 201]


def fetch(connections: Connections, edition: Edition, name: str) -> JSONObject | None:
    """A stored object in this version; `None` if the server can't read it any more, as with embedded metadata of a wrong type."""
    reply = connections.send("GET", f"{edition.collection}/{quote(name)}")
    return None if reply.code == 500 else _checked(reply, f"{edition} {name}")
