"""A TLS server on the loopback interface, and a client that trusts only one authority."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from weighbridge.certs.bundle import bundle
from weighbridge.certs.pair import Pair, sign, start_certificate


@contextmanager
def tls_server(context: ssl.SSLContext) -> Iterator[int]:
    """Accepts connections until the block ends and sends each the word ``served``; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer(connection: socket.socket) -> None:
            with suppress(OSError), connection, context.wrap_socket(connection, server_side=True) as secured:
                secured.sendall(b"served")

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

        acceptor = threading.Thread(target=accept, daemon=True)
        acceptor.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        acceptor.join()


def client_context(*authorities: x509.Certificate, version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
    """A context as strict as the default one of Python 3.13."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=bundle(authorities).decode())
    context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
    context.set_alpn_protocols(["h2", "http/1.1"])
    if version is not None:
        context.minimum_version = context.maximum_version = version
    return context


def shown_certificate(port: int, context: ssl.SSLContext, name: str | None) -> x509.Certificate:
    """Connect under this name (`None`: no SNI), read the word, and return the certificate that the server showed."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as plain, context.wrap_socket(plain, server_hostname=name) as secured:
        assert secured.recv(16) == b"served"
        assert secured.selected_alpn_protocol() == "http/1.1"
        shown = secured.getpeercert(binary_form=True)
        assert shown is not None
        return x509.load_der_x509_certificate(shown)


def client_pair(authority: Pair, now: datetime) -> Pair:
    """A certificate that a client may show."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kube-apiserver")])
    builder = start_certificate(subject, key, now, now + timedelta(days=1)).issuer_name(authority.certificate.subject)
    return Pair(sign(builder, authority.key), key)
