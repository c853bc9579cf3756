"""The serving certificate: read from files, and read again whenever they change, without a connection or a handshake lost.

The previous pair stays in use while the new one is unusable or only half written, and also if clients would refuse the new one but not the
previous. If the files are in a Secret's volume, kubelet replaces both at once, but up to two minutes late. `weighbridge.certs.tls` makes
the replacement safe.

If there is no better certificate, one that clients refuse is served, too, but then the server says that it isn't ready.
"""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from weighbridge.certs import files, rotation
from weighbridge.certs.certificate_set import SERVING_CERTIFICATE, SERVING_KEY
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Certificate
from weighbridge.certs.serving_faults import CertificateFault, serving_faults
from weighbridge.certs.tls import ReloadingContext
from weighbridge.webhook.server.metrics import Metrics
from weighbridge.webhook.server.service import Readiness
from weighbridge.webhook.texts.logs import FIELDS

_log: Final = logging.getLogger("weighbridge.certificates")
#: How far our clock may be behind: a certificate that was issued just now isn't reported as not valid yet.
_SKEW: Final = timedelta(minutes=5)
#: Changes with a file: its modification time, inode and size; `None` if it doesn't exist.
_Stamp = tuple[int, int, int] | None


def has_files(directory: Path) -> bool:
    """Whether any file of the pair exists."""
    return any((directory / name).exists() for name in (SERVING_CERTIFICATE, SERVING_KEY))


def bring_self_signed_up_to_date(directory: Path, names: Sequence[str], now: datetime) -> None:
    """Make an authority and a certificate for the names, or renew the existing ones if they are due.

    Raises CertificateError if a name is invalid, if the directory can't be written, or if it contains certificates that aren't ours.
    """
    files.update(directory, lambda current: rotation.bring_up_to_date(current, names, now, rotation.RotationPolicy()))


def _now() -> datetime:
    return datetime.now(UTC)


class ServingCertificate:
    """The pair in one directory, and the authority of clients if they need a certificate. Only the constructor raises CertificateError.

    `names` are the names under which clients call; unknown ones can be added later (`expect`).
    """

    def __init__(
        self,
        directory: Path,
        metrics: Metrics,
        client_ca: Path | None = None,
        *,
        names: Sequence[str] = (),
        readiness: Readiness | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self._pair = directory / SERVING_CERTIFICATE, directory / SERVING_KEY
        self._watched = self._pair if client_ca is None else (*self._pair, client_ca)
        self._metrics = metrics
        self._names = tuple(names)
        self._readiness = Readiness() if readiness is None else readiness
        self._clock = clock
        self._stamps = self._look()
        self._is_held_back = False
        self._told: list[str] = []
        self._reloading = ReloadingContext(*self._pair, client_ca_file=client_ca)
        self._publish()
        self._judge()

    @property
    def context(self) -> ssl.SSLContext:
        """The TLS context for listening; each handshake uses the certificate that was read last."""
        return self._reloading.context

    def expect(self, names: Sequence[str]) -> None:
        """Set the names under which clients call."""
        self._names = tuple(names)
        self._judge()

    def refresh(self) -> None:
        """Read the files again if one of them has changed, and check whether the certificate is still good."""
        stamps = self._look()
        if stamps != self._stamps:
            self._stamps = stamps
            self._take(is_new=True)
        elif self._is_held_back:
            self._take(is_new=False)
        self._judge()

    async def watch(self, seconds: float) -> None:
        """Check the files at intervals, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            self.refresh()

    def _take(self, *, is_new: bool) -> None:
        """Serve the pair in the files; failures are logged only if the files are new."""
        self._is_held_back = False
        try:
            certificate = self._reloading.replace(*self._pair, self._hold_back)
        except CertificateError as error:
            if is_new:
                self._metrics.certificate_read(loaded=False)
                _log.warning("certificate files can't be used, the one before stays: %s", error)
            return
        self._metrics.certificate_read(loaded=True)
        self._publish()
        _log.info("certificate replaced", extra={FIELDS: {"notAfter": certificate.not_valid_after_utc.isoformat()}})

    def _hold_back(self, certificate: Certificate) -> None:
        """Hold back a certificate with a fault while the previous one has none. The fault may pass, as when it isn't valid yet."""
        faults = self._faults(certificate)
        if faults and not self._faults(self._reloading.certificate):
            self._is_held_back = True
            raise next(iter(faults.values()))

    def _judge(self) -> None:
        """Report faults of the served certificate in the log, the metrics and the readiness."""
        faults = self._faults(self._reloading.certificate)
        self._metrics.certificate_judged(faults)
        told = [str(fault) for fault in faults.values()]
        if told:
            self._readiness.fail("certificate", "; ".join(told))
        else:
            self._readiness.mend("certificate")
        for text in told:
            if text not in self._told:
                _log.error("clients refuse the certificate: %s", text)
        if self._told and not told:
            _log.info("the certificate is good again")
        self._told = told

    def _faults(self, certificate: Certificate) -> dict[CertificateFault, CertificateError]:
        return serving_faults(certificate, self._clock(), self._names, str(self._pair[0]), _SKEW)

    def _publish(self) -> None:
        self._metrics.certificate_not_after.set(self._reloading.certificate.not_valid_after_utc.timestamp())
        with suppress(CertificateError):
            self._metrics.authority_not_after.set(files.read(self._pair[0].parent).authorities[0].not_valid_after_utc.timestamp())

    def _look(self) -> tuple[_Stamp, ...]:
        return tuple(map(_stamp, self._watched))


def _stamp(path: Path) -> _Stamp:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size
