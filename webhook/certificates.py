"""The serving certificate: read from files, and read again whenever they change, without a connection or a handshake lost.

A pair that can't be used, or of which only one file has been written yet, leaves the one before in place. Where the files are a Secret's
volume, kubelet replaces both at once but up to two minutes late. What makes the change safe lives in `certs.tls`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from certs import files, rotation
from certs.certificate_set import SERVING_CERTIFICATE, SERVING_KEY
from certs.errors import CertificateError
from certs.tls import ReloadingContext
from webhook.logs import FIELDS
from webhook.metrics import Metrics

_log: Final = logging.getLogger("weighbridge.certificates")
#: What tells that a file is another than before: modification time, inode and size; `None` where it isn't there.
_Stamp = tuple[int, int, int] | None


def has_files(directory: Path) -> bool:
    """Whether any of the pair's files is there."""
    return any((directory / name).exists() for name in (SERVING_CERTIFICATE, SERVING_KEY))


def bring_self_signed_up_to_date(directory: Path, names: Sequence[str], now: datetime) -> None:
    """Make an authority and a certificate for the names, or renew what is due of those that are there.

    Raises CertificateError for a name that is none, and where the directory can't be written or holds certificates that aren't ours.
    """
    files.update(directory, lambda current: rotation.bring_up_to_date(current, names, now, rotation.Policy()))


class ServingCertificate:
    """The pair of one directory, and the authority of clients if they need a certificate. Raises CertificateError at the start only."""

    def __init__(self, directory: Path, metrics: Metrics, client_ca: Path | None = None) -> None:
        self._pair = directory / SERVING_CERTIFICATE, directory / SERVING_KEY
        self._watched = self._pair if client_ca is None else (*self._pair, client_ca)
        self._metrics = metrics
        self._stamps = self._look()
        self._reloading = ReloadingContext(*self._pair, client_ca_file=client_ca)
        self._publish()

    @property
    def context(self) -> ssl.SSLContext:
        """The context to listen with; each handshake gets the certificate that was read last."""
        return self._reloading.context

    def refresh(self) -> None:
        """Read the files again if one of them has changed."""
        stamps = self._look()
        if stamps == self._stamps:
            return
        self._stamps = stamps
        try:
            certificate = self._reloading.replace(*self._pair)
        except CertificateError as error:
            self._metrics.certificate_read(loaded=False)
            _log.warning("certificate files can't be used, the one before stays: %s", error)
            return
        self._metrics.certificate_read(loaded=True)
        self._publish()
        _log.info("certificate replaced", extra={FIELDS: {"notAfter": certificate.not_valid_after_utc.isoformat()}})

    async def watch(self, seconds: float) -> None:
        """Look at the files every so often, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            self.refresh()

    def _publish(self) -> None:
        self._metrics.certificate_not_after.set(self._reloading.certificate.not_valid_after_utc.timestamp())

    def _look(self) -> tuple[_Stamp, ...]:
        return tuple(map(_stamp, self._watched))


def _stamp(path: Path) -> _Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size
