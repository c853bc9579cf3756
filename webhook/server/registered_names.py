"""The names under which the API server calls the webhook, according to the webhook configurations in the cluster.

It calls a Service as ``<name>.<namespace>.svc`` and a URL by its host, and refuses certificates without that name.
Source: k8s.io/apiserver, pkg/util/webhook/client.go.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Final, Protocol
from urllib.parse import urlsplit

from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.registration import API_VERSION, CONFIGURATIONS, DEFAULT_NAME
from weighbridge.webhook.server.certificates import ServingCertificate
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.certificates")
_EVERY_SECONDS: Final = 10.0


class Server(Protocol):
    """The methods of the API server that this module needs."""

    async def get(self, path: str, **query: str | int) -> JSONObject:
        """Get one answer. Raises APIError."""


async def follow_registered_names(certificate: ServingCertificate, kubeconfig: str | None, context: str | None) -> None:
    """Keep the expected names equal to those in the configurations while this runs. A failure doesn't change them."""
    api = await KubernetesAPI.connect(kubeconfig, context)
    told = ""
    try:
        while True:
            try:
                certificate.expect(await registered_names(api))
            except APIError as error:
                if str(error) != told:
                    _log.warning(
                        "the name in the certificate isn't checked; --serving-name gives it", extra={FIELDS: {"reason": str(error)}}
                    )
                told = str(error)
            await asyncio.sleep(_EVERY_SECONDS)
    finally:
        await api.close()


async def registered_names(api: Server) -> list[str]:
    """Each name once; none if nothing is registered. Raises APIError."""
    names = [name async for configuration in _configurations(api) for name in _names(configuration)]
    return sorted(set(names))


async def _configurations(api: Server) -> AsyncIterator[JSONObject]:
    for plural in CONFIGURATIONS:
        # A client that may read only this name may also list with this name as selector.
        listed = await api.get(f"/apis/{API_VERSION}/{plural}", fieldSelector=f"metadata.name={DEFAULT_NAME}")
        for configuration in items(listed, "items"):
            yield configuration


def _names(configuration: JSONObject) -> Iterator[str]:
    for webhook in items(configuration, "webhooks"):
        service = part(webhook, "clientConfig", "service")
        if service:
            yield f"{text(service, 'name')}.{text(service, 'namespace')}.svc"
            continue
        with suppress(ValueError):
            host = urlsplit(text(part(webhook, "clientConfig"), "url")).hostname
            if host:
                yield host
