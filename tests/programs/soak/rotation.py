"""The serving certificate and its authority, replaced in the steps of `weighbridge.certs.rotation` while calls go on.

A new authority is trusted before a certificate of it is served, and the old one until none of its certificates is served any more.
"""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.programs.soak.api import APIClient
from tests.programs.soak.deployment import Deployment
from tests.programs.soak.replicas import SoakError
from weighbridge.certs import files
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.rotation import RotationPolicy, add_authority, create, renew_serving, retire_authorities
from weighbridge.policies.families import families
from weighbridge.webhook.cluster.registration import FailurePolicy, Registration, URLEndpoint

_NAMES: Final = ["127.0.0.1"]
_POLL_SECONDS: Final = 0.2
_PATIENCE_SECONDS: Final = 30.0
_PATH: Final = "/apis/admissionregistration.k8s.io/v1"


@dataclass(frozen=True, slots=True)
class Rotation:
    """The certificates in one directory, and the registrations that trust them.

    `port` is the Service's; `settle` are the seconds in which the API server should notice a new registration.
    """

    directory: Path
    port: int
    api: APIClient
    settle: float

    def make(self) -> None:
        """Make the first certificates."""
        files.write(self.directory, create(_NAMES, datetime.now(UTC), RotationPolicy()))

    async def register(self) -> None:
        """Register both webhooks with the API server, which then fails requests if it can't call them."""
        await self._trust(files.read(self.directory))

    async def rotate(self, deployment: Deployment) -> None:
        """One rotation. Raises SoakError if a replica doesn't load the new certificate."""
        now = datetime.now(UTC)
        both = self._keep(add_authority(files.read(self.directory), now, RotationPolicy()))
        await self._trust(both)
        await asyncio.sleep(self.settle)
        renewed = self._keep(renew_serving(both, _NAMES, now, RotationPolicy()))
        await self._until_served(renewed, deployment)
        await self._trust(self._keep(retire_authorities(renewed, now)))
        await asyncio.sleep(self.settle)

    def trust(self) -> ssl.SSLContext:
        """The certificates with which a client verifies the replicas."""
        return _context(files.read(self.directory))

    def _keep(self, certificates: CertificateSet) -> CertificateSet:
        files.write(self.directory, certificates)
        return certificates

    async def _trust(self, certificates: CertificateSet) -> None:
        registration = Registration(URLEndpoint(f"https://127.0.0.1:{self.port}"), certificates.as_data()["ca.crt"])
        fail = FailurePolicy.FAIL
        for configuration in (registration.mutating(families(), fail), registration.validating(families(), fail)):
            plural = f"{configuration['kind'].lower()}s"
            await self.api.apply(f"{_PATH}/{plural}/{registration.name}", configuration)

    async def _until_served(self, certificates: CertificateSet, deployment: Deployment) -> None:
        trust, wanted = _context(certificates), certificates.serving.certificate
        for _ in range(int(_PATIENCE_SECONDS / _POLL_SECONDS)):
            serving = [await replica.serves(wanted, trust) for replica in deployment.replicas if replica.webhook and not replica.is_leaving]
            if all(serving):
                return
            await asyncio.sleep(_POLL_SECONDS)
        raise SoakError(f"a replica doesn't serve a new certificate {_PATIENCE_SECONDS:.0f} s after it was written")


def _context(certificates: CertificateSet) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=certificates.as_data()["ca.crt"].decode())
