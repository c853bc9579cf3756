"""The two things that are ever written into a cluster: the Secret with our certificates, and the caBundle of our webhook configurations."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.fields import part, text, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.registration import API_VERSION, DEFAULT_NAME

#: The field manager of our writes.
_MANAGER: Final = "weighbridge"
_NOT_FOUND, _CONFLICT = 404, 409


class CertificateSecret:
    """One Secret.

    Its data is replaced only if it hasn't changed since it was read, so that one of several replicas writes and the others see it.
    """

    def __init__(self, api: KubernetesAPI, namespace: str, name: str) -> None:
        self._api = api
        self._folder = f"/api/v1/namespaces/{namespace}/secrets"
        self._name = name
        self._read: JSONObject | None = None

    async def read(self) -> dict[str, bytes]:
        """Its data; empty if it doesn't exist. Raises APIError."""
        try:
            self._read = await self._api.get(f"{self._folder}/{self._name}")
        except APIError as error:
            if error.status != _NOT_FOUND:
                raise
            self._read = None
        return {key: _decoded(value) for key, value in text_map(self._read, "data").items()}

    async def write(self, data: Mapping[str, bytes]) -> bool:
        """Replace the data that was last read; false if another client has done so first. Raises APIError."""
        encoded = {key: b64encode(value).decode("ascii") for key, value in data.items()}
        try:
            if self._read is None:
                labels = {"app.kubernetes.io/name": "weighbridge"}
                made = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": self._name, "labels": labels}, "data": encoded}
                await self._api.send("POST", self._folder, made)
            else:
                await self._api.send("PUT", f"{self._folder}/{self._name}", {**self._read, "data": encoded})
        except APIError as error:
            if error.status not in {_CONFLICT, _NOT_FOUND}:
                raise
            return False
        return True


async def published_bundles(api: KubernetesAPI, plural: str) -> dict[str, bytes] | None:
    """The caBundle of each webhook in our configuration of a kind, by name; `None` if it isn't installed. Raises APIError."""
    try:
        configuration = await api.get(f"/apis/{API_VERSION}/{plural}/{DEFAULT_NAME}")
    except APIError as error:
        if error.status == _NOT_FOUND:
            return None
        raise
    webhooks = configuration.get("webhooks") or []
    return {text(webhook, "name"): _decoded(text(part(webhook, "clientConfig"), "caBundle")) for webhook in webhooks}


async def publish_bundle(api: KubernetesAPI, plural: str, kind: str, webhooks: Mapping[str, bytes], bundle: bytes) -> None:
    """Apply the caBundle to these webhooks and nothing else. Raises APIError, with 422 if the configuration is gone."""
    encoded = b64encode(bundle).decode("ascii")
    applied = {
        "apiVersion": API_VERSION,
        "kind": kind,
        "metadata": {"name": DEFAULT_NAME},
        "webhooks": [{"name": name, "clientConfig": {"caBundle": encoded}} for name in webhooks],
    }
    await api.send("PATCH", f"/apis/{API_VERSION}/{plural}/{DEFAULT_NAME}", applied, fieldManager=_MANAGER, force="true")


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""
