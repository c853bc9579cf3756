"""Reviews sent straight to a webhook process, and waiting until it sees what has changed."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

from tests.e2e.process import WebhookProcess
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of

#: Longer than any change takes to be seen; the tests end as soon as it is.
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
    """What the validating webhook answers to the creation of an object."""
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
