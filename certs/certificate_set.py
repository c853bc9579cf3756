"""What a webhook needs to serve TLS: authorities, the newest one's key, and the serving pair; the four files of a Secret or a directory.

`ca.crt` has the authorities to trust; `ca.key` is the key of the first. `ca.key` is missing if another program (cert-manager) issues
certificates. The data of a ``kubernetes.io/tls`` Secret has the same names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

from weighbridge.certs.authority import is_authority
from weighbridge.certs.bundle import bundle, distinct
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair, PrivateKey, is_matching, read_certificates, read_key
from weighbridge.certs.serving_faults import serving_faults, validity_faults

AUTHORITY_CERTIFICATE = "ca.crt"
AUTHORITY_KEY = "ca.key"
SERVING_CERTIFICATE = "tls.crt"
SERVING_KEY = "tls.key"
NAMES = (AUTHORITY_CERTIFICATE, AUTHORITY_KEY, SERVING_CERTIFICATE, SERVING_KEY)


@dataclass(frozen=True, slots=True)
class CertificateSet:
    """Everything that serving needs, read or created. `source` (a directory, a Secret's name) is for messages only."""

    authorities: tuple[x509.Certificate, ...]
    authority_key: PrivateKey | None
    serving: Pair
    source: str = ""

    @classmethod
    def from_data(cls, data: Mapping[str, bytes], source: str = "") -> CertificateSet:
        """Read the four texts by name. Raises `CertificateError` for a missing or unreadable one, and for nothing else (see `faults`)."""
        authorities, authority_key = read_authorities(data, source)
        certificate, *chain = read_certificates(_text(data, SERVING_CERTIFICATE, source), _subject(source, SERVING_CERTIFICATE))
        key = read_key(_text(data, SERVING_KEY, source), _subject(source, SERVING_KEY))
        return cls(authorities, authority_key, Pair(certificate, key, tuple(chain)), source)

    def as_data(self) -> dict[str, bytes]:
        """The texts by name, as `from_data` reads them; without ``ca.key`` if there is none."""
        data = {
            AUTHORITY_CERTIFICATE: bundle(self.authorities),
            SERVING_CERTIFICATE: self.serving.certificate_pem(),
            SERVING_KEY: self.serving.key_pem(),
        }
        return data | ({AUTHORITY_KEY: Pair(self.authorities[0], self.authority_key).key_pem()} if self.authority_key else {})

    def authority(self) -> Pair:
        """The pair that signs new certificates; raises `CertificateError` if its key is missing or is another's."""
        return signing_pair(self.authorities, self.authority_key, self.source)

    def issuer(self) -> x509.Certificate | None:
        """The authority that the serving certificate comes from, through its chain; `None` if none of them signed it."""
        below = (self.serving.certificate, *self.serving.chain)
        if not all(is_signed_by(lower, upper) for lower, upper in pairwise(below)):
            return None
        return next((authority for authority in self.authorities if authority == below[-1] or is_signed_by(below[-1], authority)), None)

    def faults(self, now: datetime, names: Sequence[str] = ()) -> list[CertificateError]:
        """Everything that would make a client refuse the serving certificate or prevent the next one, worst first; empty if all is well.

        `names` are the DNS names and addresses that clients use.
        """
        serving = serving_faults(self.serving.certificate, now, names, _subject(self.source, SERVING_CERTIFICATE))
        return [*self.key_faults(), *self._issuer_faults(now), *serving.values()]

    def check(self, now: datetime, names: Sequence[str] = ()) -> CertificateSet:
        """Return the set itself, or raise the first of its faults."""
        for fault in self.faults(now, names):
            raise fault
        return self

    def key_faults(self) -> Iterator[CertificateError]:
        """The keys that don't belong to their certificates."""
        if not is_matching(self.serving.certificate, self.serving.key):
            yield _foreign_key(_subject(self.source, SERVING_KEY), _subject(self.source, SERVING_CERTIFICATE))
        if self.authority_key is not None and not is_matching(self.authorities[0], self.authority_key):
            yield _foreign_key(_subject(self.source, AUTHORITY_KEY), _subject(self.source, AUTHORITY_CERTIFICATE))

    def _issuer_faults(self, now: datetime) -> Iterator[CertificateError]:
        subject = _subject(self.source, AUTHORITY_CERTIFICATE)
        issuer = self.issuer()
        if issuer is None:
            wrong = f"isn't signed by any certificate of {AUTHORITY_CERTIFICATE}"
            yield CertificateError(_subject(self.source, SERVING_CERTIFICATE), wrong, "both must come from one authority: issue it anew")
        used = distinct(authority for authority in (issuer, self.authorities[0]) if authority is not None)
        for authority in used:
            if authority != self.serving.certificate and not is_authority(authority):
                yield CertificateError(subject, "isn't an authority's certificate", "it must have CA:TRUE and keyCertSign")
            yield from dict(validity_faults(authority, now, subject, "create a new authority and publish it")).values()


def read_authorities(data: Mapping[str, bytes], source: str = "") -> tuple[tuple[x509.Certificate, ...], PrivateKey | None]:
    """The authorities in the four texts, and the key of the first one if it is there. Raises `CertificateError`."""
    authorities = read_certificates(_text(data, AUTHORITY_CERTIFICATE, source), _subject(source, AUTHORITY_CERTIFICATE))
    key = data.get(AUTHORITY_KEY)
    return distinct(authorities), read_key(key, _subject(source, AUTHORITY_KEY)) if key else None


def signing_pair(authorities: Sequence[x509.Certificate], key: PrivateKey | None, source: str = "") -> Pair:
    """The first authority with its key, which sign new certificates. Raises `CertificateError` if the key is missing or another's."""
    subject = _subject(source, AUTHORITY_KEY)
    if key is None:
        raise CertificateError(subject, "is missing", "only the holder of the authority's key can issue certificates")
    if not is_matching(authorities[0], key):
        raise _foreign_key(subject, _subject(source, AUTHORITY_CERTIFICATE))
    return Pair(authorities[0], key)


def is_signed_by(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    """Whether the authority's key signed the certificate, and the names agree. The validity isn't checked."""
    with suppress(ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        certificate.verify_directly_issued_by(authority)
        return True
    return False


def _foreign_key(key: str, certificate: str) -> CertificateError:
    return CertificateError(key, f"isn't the key of {certificate}", "the two must be made and copied together")


def _text(data: Mapping[str, bytes], name: str, source: str) -> bytes:
    text = data.get(name)
    if text:
        return text
    raise CertificateError(_subject(source, name), "is empty" if text == b"" else "is missing", f"{', '.join(NAMES)} belong together")


def _subject(source: str, name: str) -> str:
    return f"{source}/{name}" if source else name
