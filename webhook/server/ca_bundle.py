"""Writes the caBundle into the webhook configurations once calls can be answered, and keeps it there.

Nothing else in them is changed: the manifests define when the webhooks are called, and what happens without an answer. While one authority
replaces another, both are published, since replicas and API servers see the change at different times.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from weighbridge.certs import files
from weighbridge.certs.bundle import bundle, join, without_expired
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Certificate, read_certificates
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.registration import CONFIGURATIONS
from weighbridge.webhook.cluster.writes import publish_bundle, published_bundles
from weighbridge.webhook.server.certificate_secret import now
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.registration")
_EVERY_SECONDS: Final = 10.0
_UNREADY_SECONDS: Final = 0.5
#: After this time, every replica serves the certificate in the Secret.
OVERLAP_SECONDS: Final = 600.0
_KINDS: Final = dict(zip(CONFIGURATIONS, ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"), strict=True))


class Overlap:
    """Decides which authorities to publish: ours, and for a while those that were published before."""

    def __init__(self, seconds: float = OVERLAP_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._since: dict[Certificate, float] = {}

    def wanted(self, own: bytes, published: bytes, moment: datetime) -> bytes:
        """The caBundle to publish in place of `published`."""
        ours = read_certificates(own, "ca.crt")
        try:
            there = read_certificates(published, "caBundle") if published.strip() else ()
        except CertificateError:
            there = ()
        started = self._clock()
        kept = [
            other
            for other in without_expired((other for other in there if other not in ours), moment)
            if started - self._since.setdefault(other, started) < self._seconds
        ]
        return join(bundle(ours), bundle(kept))


async def keep_registered(service: Service, directory: Path, kubeconfig: str | None, context: str | None) -> None:
    """Publish the authorities in the directory's ``ca.crt`` for as long as this runs."""
    api = await KubernetesAPI.connect(kubeconfig, context)
    overlap, told = Overlap(), ""
    try:
        while True:
            while service.readiness.reasons:
                await asyncio.sleep(_UNREADY_SECONDS)
            try:
                for plural in CONFIGURATIONS:
                    await _publish(api, service, plural, directory, overlap)
                told = ""
            except (APIError, CertificateError) as error:
                if str(error) != told:
                    _log.warning("the caBundle can't be published", extra={FIELDS: {"reason": str(error)}})
                told = str(error)
            await asyncio.sleep(_EVERY_SECONDS)
    finally:
        await api.close()


async def _publish(api: KubernetesAPI, service: Service, plural: str, directory: Path, overlap: Overlap) -> None:
    published = await published_bundles(api, plural)
    service.metrics.registered(plural, is_there=published is not None)
    if not published:
        return
    own = bundle(files.read(directory).authorities)
    wanted = overlap.wanted(own, b"\n".join(published.values()), now())
    if any(there != wanted for there in published.values()):
        await publish_bundle(api, plural, _KINDS[plural], published, wanted)
        _log.info("caBundle published", extra={FIELDS: {"configuration": plural, "webhooks": len(published)}})
