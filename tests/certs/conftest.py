"""Authorities and pairs for the tests; keys are made once, since nothing here depends on them being fresh."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from weighbridge.certs.authority import create_authority
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.pair import Pair
from weighbridge.certs.rotation import RotationPolicy, create
from weighbridge.certs.serving_certificate import issue, service_names

NAMES = (*service_names("weighbridge", "admission"), "localhost", "127.0.0.1", "::1")


@pytest.fixture(scope="session")
def now() -> datetime:
    """The real time, since TLS clients look at the real clock."""
    return datetime.now(UTC).replace(microsecond=0)


@pytest.fixture(scope="session")
def authority(now: datetime) -> Pair:
    return create_authority(now)


@pytest.fixture(scope="session")
def serving(authority: Pair, now: datetime) -> Pair:
    return issue(authority, NAMES, now)


@pytest.fixture(scope="session")
def certificates(now: datetime) -> CertificateSet:
    return create(NAMES, now, RotationPolicy())


@pytest.fixture(scope="session")
def expired(now: datetime) -> tuple[Pair, Pair]:
    """An authority that ended a year ago, and a serving pair of it."""
    then = now - timedelta(days=11 * 365)
    old = create_authority(then)
    return old, issue(old, NAMES, then)


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[Pair, str], tuple[Path, Path]]:
    """Writes a pair to files under a name; returns the paths of the certificate and of the key."""

    def store(pair: Pair, name: str) -> tuple[Path, Path]:
        certificate, key = tmp_path / f"{name}.crt", tmp_path / f"{name}.key"
        certificate.write_bytes(pair.certificate_pem())
        key.write_bytes(pair.key_pem())
        return certificate, key

    return store
