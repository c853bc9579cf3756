"""TLS for a server whose certificate changes while it runs.

A live context must not load a second certificate: a mismatched pair leaves it with none, and one of another key type is loaded next to the
old. So each pair gets a separate context, which is complete before it is used, and the server's outer context hands new connections to the
current one (``ssl.SSLContext.sni_callback``, which OpenSSL calls for clients without SNI too).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from cryptography import x509

from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import MOST_BYTES, Pair, certificates_pem, is_matching, read_certificates, read_key
from weighbridge.certs.regular_file import read_regular_file

# Forward secrecy and authenticated encryption only; all ciphers of TLS 1.3 have both, so they aren't chosen here.
_TLS_1_2_CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"


def _serve(cert_file: Path, key_file: Path, client_ca_file: Path | None) -> tuple[ssl.SSLContext, x509.Certificate]:
    pair = load_pair(cert_file, key_file)
    context = _bare_context(client_ca_file)
    try:
        context.load_cert_chain(cert_file, key_file, _refuse_passphrase)
    except (OSError, ssl.SSLError) as error:
        # NB: the file has been read before, so this happens only if it has changed since or OpenSSL's security level refuses it.
        raise CertificateError(str(cert_file), f"can't be served ({error})", "it and its key must be whole and strong enough") from None
    return context, pair.certificate


class ReloadingContext:
    """A context for a server, and the way to change the pair that it serves.

    `context` always stays the same object. It serves HTTP/1.1 with TLS 1.2 or newer, and with a client authority it serves only holders of
    its certificates. Connections that are open keep the pair they were made with.
    """

    def __init__(self, cert_file: Path, key_file: Path, *, client_ca_file: Path | None = None) -> None:
        """Raises `CertificateError` naming the file that is missing, unreadable or doesn't belong to the other."""
        self._client_ca_file = client_ca_file
        self._current, self.certificate = _serve(cert_file, key_file, client_ca_file)
        self.context = _bare_context(client_ca_file)
        self.context.sni_callback = self._hand_over

    def replace(self, cert_file: Path, key_file: Path, check: Callable[[x509.Certificate], None] = lambda _: None) -> x509.Certificate:
        """Serve this pair from the next connection on, and read the client authority's file again; returns the new certificate.

        Raises `CertificateError` if the files are unusable or `check` raises it; then the old pair is still served.
        """
        current, certificate = _serve(cert_file, key_file, self._client_ca_file)
        check(certificate)
        self._current, self.certificate = current, certificate
        return certificate

    def _hand_over(self, connection: ssl.SSLSocket | ssl.SSLObject, _name: str | None, _outer: ssl.SSLContext) -> None:
        connection.context = self._current


def load_pair(cert_file: Path, key_file: Path) -> Pair:
    """Read a certificate file (with its chain) and its key's file; raises `CertificateError` naming the one at fault."""
    certificate, *chain = read_certificates(_read(cert_file), str(cert_file))
    key = read_key(_read(key_file), str(key_file))
    if not is_matching(certificate, key):
        raise CertificateError(str(key_file), f"isn't the key of {cert_file}", "the two must be made and copied together")
    return Pair(certificate, key, tuple(chain))


def _bare_context(client_ca_file: Path | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(_TLS_1_2_CIPHERS)
    context.set_alpn_protocols(["http/1.1"])
    # A resumed session would use an old certificate, and the API server doesn't resume sessions.
    context.options |= ssl.OP_NO_TICKET | ssl.OP_NO_RENEGOTIATION
    context.num_tickets = 0
    if client_ca_file is not None:
        authorities = read_certificates(_read(client_ca_file), str(client_ca_file))
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=certificates_pem(authorities).decode())
    return context


def _read(path: Path) -> bytes:
    try:
        return read_regular_file(path, MOST_BYTES)
    except OSError as error:
        raise CertificateError(str(path), f"can't be read ({error.strerror})", "a PEM file that this user may read is needed") from None


def _refuse_passphrase() -> NoReturn:
    """Refuse an encrypted key; OpenSSL would ask for the passphrase on the terminal."""
    raise ssl.SSLError("the key is encrypted")
