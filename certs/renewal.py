"""When a certificate is due for renewal: after two thirds of its life, the ecosystem's habit (cert-manager, kubelet)."""

from __future__ import annotations

from datetime import datetime

from cryptography import x509

from weighbridge.certs.pair import is_valid_at

RENEWAL_FRACTION = 2 / 3


def renewal_time(certificate: x509.Certificate, fraction: float = RENEWAL_FRACTION) -> datetime:
    """The time from which on the certificate is due; `ValueError` for a fraction outside 0 to 1."""
    if not 0 < fraction <= 1:
        raise ValueError(f"a certificate is renewed after a fraction of its life between 0 and 1, not {fraction}")
    begin = certificate.not_valid_before_utc
    return begin + (certificate.not_valid_after_utc - begin) * fraction


def needs_renewal(certificate: x509.Certificate, now: datetime, fraction: float = RENEWAL_FRACTION) -> bool:
    """Whether the certificate is due: this fraction of its life is over, or it isn't valid at `now` at all."""
    return now >= renewal_time(certificate, fraction) or not is_valid_at(certificate, now)
