"""A control plane with the families' CRDs in it and our webhook registered."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.e2e.process import TurningProcess, WebhookProcess
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from weighbridge.policies.families import families
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.cluster.registration import Registration, URLEndpoint

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
#: Fields that only the server can know, and those that it counts.
_SERVERS_OWN = ("uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink", "generation")
#: The paths of kinds that many tests apply. kubectl applies the others, and takes a process for each object.
_PATHS = {
    "Namespace": "/api/v1/namespaces",
    "MutatingWebhookConfiguration": "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
    "ValidatingWebhookConfiguration": "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
}
#: Seconds; longer than a registration takes on a busy machine. The tests go on as soon as it is in force.
_PATIENCE_SECONDS = 60.0
#: The seconds for which the server waits for the webhook. The shipped value is 3, and on a busy machine an answer may take longer.
_TIMEOUT_SECONDS = 10


@dataclass
class Cluster:
    """The control plane, and the webhook, whose port stays the same when its process is replaced."""

    plane: ControlPlane
    directory: Path
    webhook: WebhookProcess
    options: tuple[str, ...] = ()

    @cached_property
    def connections(self) -> Connections:
        """Connections to the server without kubectl, which needs a process for each request."""
        return Connections(self.plane)

    def serve(self, options: Sequence[str]) -> None:
        """Restart the webhook with other facts or another configuration, if they differ."""
        if tuple(options) != self.options or self.webhook.process.poll() is not None:
            port = self.webhook.port
            self.webhook.stop()
            self.webhook = WebhookProcess(self.directory, *options, port=port)
            self.options = tuple(options)

    @contextmanager
    def turning(self) -> Iterator[TurningProcess]:
        """A webhook whose facts can be changed, registered in place of the usual one."""
        with TurningProcess(self.directory / "turning") as webhook:
            self.register(port=webhook.port, ca_bundle=webhook.ca_bundle)
            try:
                yield webhook
            finally:
                self.register()

    def register(self, *, port: int | None = None, ca_bundle: bytes = b"", **changes: Any) -> None:
        """Register both webhooks with a longer timeout; `changes` go into every one of both configurations. Returns once they are in
        force.
        """
        endpoint = URLEndpoint(f"https://127.0.0.1:{port or self.webhook.port}")
        registration = Registration(endpoint, ca_bundle or self.webhook.ca_bundle)
        for configuration in (registration.mutating(families()), registration.validating(families())):
            for webhook in configuration["webhooks"]:
                webhook.update({"timeoutSeconds": _TIMEOUT_SECONDS} | changes)
            self.apply(configuration)
        self._wait_until_called()

    def unregister(self) -> None:
        """Remove both configurations."""
        for kind in ("mutatingwebhookconfiguration", "validatingwebhookconfiguration"):
            self.plane.kubectl("delete", kind, "weighbridge", "--ignore-not-found", check=True)

    def apply(self, obj: JSONObject) -> None:
        """Apply one object with server-side apply, as kubectl does."""
        if path := _PATHS.get(obj["kind"]):
            reply = self.connections.send_value("PATCH", f"{path}/{name_of(obj)}?fieldManager=kubectl&force=true", obj)
            assert reply.code < 300, reply.body
            return
        self.plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=json.dumps(obj), check=True)

    def create(self, obj: JSONObject, *, dry_run: bool = False) -> subprocess.CompletedProcess[str]:
        """`kubectl create`, its output as JSON; the manifest is kept in the object as with `kubectl apply`, so that it shows what the
        author wrote.
        """
        mode = ["--dry-run=server"] if dry_run else []
        return self.plane.kubectl("create", "--save-config", "-f", "-", "-o", "json", "--validate=strict", *mode, input=json.dumps(obj))

    def namespace(self, name: str) -> str:
        """A namespace, which is created if it doesn't exist."""
        self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        return name

    def wait_until_fields(self, specs: Iterable[tuple[str, JSONObject]], *, known: bool) -> None:
        """Wait until the CRDs that were applied last are in force: until they have all fields of these kinds' specs, or no longer have
        them.
        """
        self.namespace("registered")
        for kind, spec in specs:
            metadata = {"name": "probe", "namespace": "registered"}
            probe = {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}
            deadline = time.monotonic() + _PATIENCE_SECONDS
            while ("unknown field" in self.create(probe, dry_run=True).stderr) is known:
                assert time.monotonic() < deadline, f"the CRD of {kind} doesn't hold"
                time.sleep(0.1)

    def _wait_until_called(self) -> None:
        """A registration comes into force a moment after it is written: wait until an object is refused that only our webhook refuses."""
        self.namespace("registered")
        probe = {
            "apiVersion": "inference.llmkube.dev/v1alpha1",
            "kind": "Model",
            "metadata": {"name": "probe", "namespace": "registered"},
            "spec": {"source": "pvc://x", "hardware": {"gpu": {"count": 1, "vendor": "intel"}}},
        }
        deadline = time.monotonic() + _PATIENCE_SECONDS
        path = "/apis/inference.llmkube.dev/v1alpha1/namespaces/registered/models?dryRun=All"
        while True:
            reply = self.connections.send_value("POST", path, probe)
            if isinstance(reply.body, dict) and 'webhook "validate.llmkube.weighbridge.dev" denied' in str(reply.body.get("message")):
                return
            assert time.monotonic() < deadline, f"the registered webhook isn't called: {reply.body}"
            time.sleep(0.1)


def stored(text: str) -> JSONObject:
    """The object in the server's answer, without the fields that only the server can know."""
    obj: JSONObject = json.loads(text)
    return without_servers_own(obj)


def without_servers_own(obj: JSONObject) -> JSONObject:
    """The object without the fields that only the server can know."""
    metadata = {key: value for key, value in obj.get("metadata", {}).items() if key not in _SERVERS_OWN}
    return {**obj, "metadata": metadata}


def without_manifest(obj: JSONObject) -> JSONObject:
    """The object without the manifest that kubectl keeps in it."""
    annotations = {key: text for key, text in (obj["metadata"].get("annotations") or {}).items() if key != LAST_APPLIED}
    metadata = {key: value for key, value in obj["metadata"].items() if key != "annotations"}
    return {**obj, "metadata": {**metadata, "annotations": annotations} if annotations else metadata}
