"""Certificates that all replicas share: stored in a Secret, and copied from there to this replica's files, which the server watches.

The Secret is the lock: the authority is that of the replica that writes it first, and the others use the Secret's contents. If the Secret
is deleted or broken, this replica writes it anew with its own certificates, so that a running webhook keeps its authority. A new replica
keeps the authority in the Secret if only the serving certificate or its key is broken.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from weighbridge.certs import files, rotation
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.policies.ground.records import replace
from weighbridge.webhook.cluster.kubernetes_api import APIError, KubernetesAPI
from weighbridge.webhook.cluster.writes import CertificateSecret
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.certificates")
#: Replicas that start together conflict once or twice.
_ATTEMPTS: Final = 20
_PAUSE_SECONDS: Final = 0.1
EVERY_SECONDS: Final = 10.0


class Secret(Protocol):
    """The Secret with the certificates."""

    async def read(self) -> dict[str, bytes]:
        """Read its texts, by name. Raises APIError."""
        ...

    async def write(self, data: dict[str, bytes]) -> bool:
        """Replace the contents that were read last; false if another client has replaced them first. Raises APIError."""
        ...


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


async def bring_up_to_date(secret: Secret, names: Sequence[str], held: CertificateSet | None, moment: datetime) -> CertificateSet:
    """The certificates that all replicas use, after all due renewals. Raises APIError, and CertificateError if replicas can't agree.

    `held` is what this replica serves. It is written to the Secret if that has nothing usable.
    """
    for _ in range(_ATTEMPTS):
        stored = await secret.read()
        current = _usable(stored) or held
        try:
            if current is None and stored:
                wanted, steps = rotation.recover(stored, names, moment, rotation.RotationPolicy())
            else:
                wanted, steps = rotation.bring_up_to_date(current, names, moment, rotation.RotationPolicy())
        except CertificateError as error:
            # The stored authority can't sign anything, and that wouldn't change without a new one.
            _log.warning("a new authority is made: %s", error)
            wanted, steps = rotation.create(names, moment, rotation.RotationPolicy()), (rotation.RotationStep.CREATE,)
        if not steps and current is not held:
            return wanted
        if await secret.write(wanted.as_data()):
            _log.info("certificates written to the Secret", extra={FIELDS: {"steps": [*map(str, steps)] or ["put back"]}})
            return wanted
        await asyncio.sleep(_PAUSE_SECONDS)
    raise CertificateError("the Secret", "is changed by others all the time", "look for who else writes it")


def _usable(data: dict[str, bytes]) -> CertificateSet | None:
    """The contents of the Secret, if they belong together."""
    if not data:
        return None
    try:
        found = CertificateSet.from_data(data, "the Secret")
        for fault in found.key_faults():
            raise fault
    except CertificateError as error:
        _log.warning("what the Secret holds can't be used: %s", error)
        return None
    return found


class SharedCertificates:
    """Keeps the files of `directory` equal to a Secret, written ``NAMESPACE/NAME``."""

    def __init__(
        self,
        directory: Path,
        secret: str,
        names: Sequence[str],
        kubeconfig: str | None,
        context: str | None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._directory = directory
        self._namespace, _, self._name = secret.partition("/")
        self._names = names
        self._connection = kubeconfig, context
        self._clock = clock

    def begin(self) -> None:
        """Write the files before anything is served. Raises InputError if there are none and the cluster can't be asked."""
        try:
            asyncio.run(self._once())
        except (APIError, CertificateError) as error:
            if self._held() is None:
                raise InputError(f"the Secret {self._namespace}/{self._name}: {error}") from None
            _log.warning("the Secret can't be read, the certificate of before is served", extra={FIELDS: {"reason": str(error)}})

    async def watch(self) -> None:
        """Check the Secret at intervals, until cancelled."""
        told = ""
        api = await KubernetesAPI.connect(*self._connection)
        try:
            while True:
                await asyncio.sleep(EVERY_SECONDS)
                try:
                    await self._refresh(api)
                    told = ""
                except (APIError, CertificateError) as error:
                    if str(error) != told:
                        _log.warning("the Secret can't be kept up to date", extra={FIELDS: {"reason": str(error)}})
                    told = str(error)
        finally:
            await api.close()

    async def _once(self) -> None:
        api = await KubernetesAPI.connect(*self._connection)
        try:
            await self._refresh(api)
        finally:
            await api.close()

    async def _refresh(self, api: KubernetesAPI) -> None:
        held = self._held()
        wanted = await bring_up_to_date(CertificateSecret(api, self._namespace, self._name), self._names, held, self._clock())
        if held is None or wanted.as_data() != held.as_data():
            files.write(self._directory, replace(wanted, source=str(self._directory)))

    def _held(self) -> CertificateSet | None:
        with suppress(CertificateError):
            return files.read(self._directory)
        return None
