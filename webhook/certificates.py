"""The serving certificate: read from files, and read again whenever they change, without a connection or a handshake lost.

A pair that can't be used, or of which only one file has been written yet, leaves the one before in place. Where the files are a Secret's
volume, kubelet replaces both at once but a minute late. What makes this safe lives in `certs.tls`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from pathlib import Path
from typing import Final

from certs.tls import ReloadingContext, TLSError

from webhook.logs import FIELDS
from webhook.metrics import Metrics

CERTIFICATE_FILE: Final = "tls.crt"
KEY_FILE: Final = "tls.key"
_log: Final = logging.getLogger("weighbridge.certificates")
#: What tells that a file is another than before: modification time, inode and size.
_Stamp = tuple[int, int, int] | None


class ServingCertificate:
    """The pair of one directory. Raises TLSError when it can't be used at the start."""

    def __init__(self, directory: Path, metrics: Metrics) -> None:
        self._files = directory / CERTIFICATE_FILE, directory / KEY_FILE
        self._metrics = metrics
        self._stamps = self._look()
        self._reloading = ReloadingContext(*self._files)
        self._publish()

    @property
    def context(self) -> ssl.SSLContext:
        """The context to listen with; each handshake gets the certificate that was read last."""
        return self._reloading.context

    def refresh(self) -> None:
        """Read the files again if they have changed."""
        stamps = self._look()
        if stamps == self._stamps:
            return
        self._stamps = stamps
        try:
            self._reloading.reload()
        except TLSError as error:
            self._metrics.certificate_read(loaded=False)
            _log.error("the certificate files can't be used, the one before stays: %s", error)
            return
        self._metrics.certificate_read(loaded=True)
        self._publish()

    async def watch(self, seconds: float) -> None:
        """Look at the files every so often, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            self.refresh()

    def _publish(self) -> None:
        not_after = self._reloading.not_after
        self._metrics.certificate_not_after.set(not_after.timestamp())
        _log.info("certificate loaded", extra={FIELDS: {"notAfter": not_after.isoformat()}})

    def _look(self) -> tuple[_Stamp, ...]:
        return tuple(map(_stamp, self._files))


def _stamp(path: Path) -> _Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size
