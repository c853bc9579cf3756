"""Sends reviews directly to a webhook process, and waits until it has noticed a change."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

from tests.e2e.process import WebhookProcess
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of

#: Seconds; longer than it takes to notice any change. The tests go on as soon as it is noticed.
_PATIENCE_SECONDS = 30.0


def ready(webhook: WebhookProcess) -> bool:
    try:
        return webhook.page("/readyz") == "ok\n"
    except OSError:
        return False


def eventually(holds: Callable[[], Any]) -> None:
    """Wait until `holds` does."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it didn't come about"
        time.sleep(0.05)


def answer(webhook: WebhookProcess, obj: JSONObject, plural: str) -> JSONObject:
    """The validating webhook's answer to the creation of an object."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = {
        "uid": "u",
        "operation": "CREATE",
        "kind": {"group": gvk.group, "version": gvk.version, "kind": gvk.kind},
        "resource": {"group": gvk.group, "version": gvk.version, "resource": plural},
        "namespace": namespace_of(obj),
        "name": name_of(obj),
        "userInfo": {},
        "object": obj,
    }
    body = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()
    context = ssl.create_default_context(cadata=webhook.ca_bundle.decode())
    call = Request(f"{webhook.webhook}/validate", body, {"Content-Type": "application/json"}, method="POST")
    with urlopen(call, context=context, timeout=10) as received:
        response: JSONObject = json.load(received)["response"]
    return response
