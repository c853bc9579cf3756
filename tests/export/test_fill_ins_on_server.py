"""Exported fill-ins on a real kube-apiserver: it stores the same as if the webhook filled in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.export.filling import FILLED, by_webhook, comparable, filling
from tests.export.parts import exported
from tests.export.test_on_server import asked, definition, install, path, until, write
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.policies.client import Client
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.server_release import release

pytestmark = [pytest.mark.control_plane, pytest.mark.timeout(400)]
#: Before v1 they are served only if flags enable them.
_BEFORE_V1 = ["--runtime-config=admissionregistration.k8s.io/v1beta1=true", "--feature-gates=MutatingAdmissionPolicy=true"]


@pytest.fixture
def client(start_control_plane: StartControlPlane) -> Iterator[Client]:
    flags = () if release().serves_mutating_policies else _BEFORE_V1
    with Client(start_control_plane(apiserver_flags=flags)) as made:
        yield made


def test_the_server_stores_what_the_webhook_fills_in(client: Client) -> None:
    config = filling()
    found = exported(config, "POLICY-*", "llm*")
    install(client, list(dict.fromkeys(gvk for _, own in found.done for gvk in own.kinds)))
    for _, old in FILLED:
        if old is not None:
            until(lambda old=old: client.send("POST", _path(old), old).code == 201)
    write(client, found.objects)
    creations = [(obj, comparable(by_webhook(config, obj, None))) for obj, old in FILLED if old is None]
    with suppress(AssertionError):
        # The server loads them one after the other. Differences in what it stores are shown below.
        until(lambda: all(_stored(client, obj, None) == wanted for obj, wanted in creations))
    different = []
    for obj, old in FILLED:
        wanted, is_so = comparable(by_webhook(config, obj, old)), _stored(client, obj, old)
        if wanted != is_so:
            different.append(f"{obj['kind']} {namespace_of(obj)}/{name_of(obj)}: {is_so} in place of {wanted}")
    assert different == []
    assert sum(bool(record) for _, (_, record) in creations) > 15


def _path(obj: JSONObject) -> str:
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    return path(definition(gvk), namespace_of(obj))


def _stored(client: Client, obj: JSONObject, old: JSONObject | None) -> tuple[JSONObject, list[str]]:
    answer = asked(client, obj, old)
    return comparable(answer.body) if answer.code < 300 else (answer.body, [])
