"""The whole message of each refusal: which certificate, key or file is wrong, in what way, and what would be right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from weighbridge.certs.bundle import join
from weighbridge.certs.certificate_set import CertificateSet
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.pair import Pair, read_certificates, read_key
from weighbridge.certs.serving_certificate import alternative_names, is_covered, issue
from weighbridge.certs.tls import load_pair

WHOLE = "ca.crt, ca.key, tls.crt, tls.key belong together"
ISSUE_ANEW = "both must come from one authority: issue it anew"


def refused(action: Callable[[], object]) -> str:
    """The message of the refusal."""
    with pytest.raises(CertificateError) as caught:
        action()
    error = caught.value
    assert str(error) == f"{error.subject}: {error.wrong}; {error.remedy}"
    return str(error)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], "serving certificate: there is no name to issue it for; name a service, a host or an IP address"),
        (["a", "https://a"], "'https://a': is neither a DNS name nor an IP address; give it without scheme, port or brackets"),
        (["[::1]"], "'[::1]': is neither a DNS name nor an IP address; give it without scheme, port or brackets"),
    ],
)
def test_a_certificate_is_for_names_and_addresses(names: list[str], said: str) -> None:
    assert refused(lambda: alternative_names(names)) == said


@pytest.mark.parametrize(
    ("name", "covered"),
    [
        ("weighbridge", True),
        ("WEIGHBRIDGE.admission.svc", True),
        ("127.0.0.1", True),
        ("0:0:0:0:0:0:0:1", True),
        ("127.0.0.2", False),
        ("admission.svc", False),
        ("a.apps.example", True),
        ("b.a.apps.example", False),
        ("apps.example", False),
        ("no name", False),
        ("", False),
    ],
)
def test_a_name_is_covered_as_a_verifier_sees_it(authority: Pair, now: datetime, name: str, covered: bool) -> None:
    held = issue(authority, ["weighbridge", "weighbridge.admission.svc", "127.0.0.1", "::1", "*.apps.example"], now)
    assert is_covered(held.certificate, name) is covered


def test_an_authority_has_no_names_of_its_own(authority: Pair) -> None:
    assert not is_covered(authority.certificate, "weighbridge")


def test_only_a_living_authority_issues(authority: Pair, serving: Pair, expired: tuple[Pair, Pair], now: datetime) -> None:
    own, other = (pair.certificate.subject.rfc4514_string() for pair in (serving, authority))
    assert refused(lambda: issue(serving, ["a"], now)) == (
        f"{own}: may not sign certificates; a certificate with CA:TRUE and keyCertSign is needed"
    )
    assert refused(lambda: issue(replace(authority, key=serving.key), ["a"], now)) == (
        f"{other}: the authority's key belongs to another certificate; its own key is needed to sign"
    )
    ended = expired[0].certificate
    assert refused(lambda: issue(expired[0], ["a"], now)) == (
        f"{ended.subject.rfc4514_string()}: isn't valid now (until {ended.not_valid_after_utc:%Y-%m-%d %H:%M} UTC); create a new authority"
    )
    later = authority.certificate.not_valid_after_utc
    assert issue(authority, ["a"], later).certificate.not_valid_after_utc == later
    with pytest.raises(CertificateError):
        issue(authority, ["a"], later + timedelta(seconds=1))


def _key_pem(encryption: BestAvailableEncryption | NoEncryption, key: ec.EllipticCurvePrivateKey | ed448.Ed448PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


def test_a_text_that_holds_something_else_is_told_by_what_it_holds(authority: Pair) -> None:
    blocks = "it must hold -----BEGIN CERTIFICATE----- blocks"
    cut = authority.certificate_pem()[:-40]
    assert refused(lambda: read_certificates(authority.key_pem(), "a")) == f"a: holds a private key; {blocks}"
    assert refused(lambda: read_certificates(cut, "a")) == f"a: isn't a PEM certificate, or is cut short; {blocks}"
    assert refused(lambda: join(b"", b" \n", b"x")) == f"caBundle: isn't a PEM certificate, or is cut short; {blocks}"
    assert refused(lambda: join(b"x", subject="b")) == f"b: isn't a PEM certificate, or is cut short; {blocks}"
    block = "it must hold a -----BEGIN PRIVATE KEY----- block"
    assert refused(lambda: read_key(authority.certificate_pem(), "a")) == f"a: holds a certificate; {block}"
    assert refused(lambda: read_key(b"x", "a")) == f"a: isn't a PEM private key, or is cut short; {block}"
    encrypted = _key_pem(BestAvailableEncryption(b"x"), ec.generate_private_key(ec.SECP256R1()))
    assert refused(lambda: read_key(encrypted, "a")) == "a: the private key is encrypted; it must be stored without a passphrase"
    odd = _key_pem(NoEncryption(), ed448.Ed448PrivateKey.generate())
    assert refused(lambda: read_key(odd, "a")).startswith("a: is a key of an unsuitable kind (")
    assert refused(lambda: read_key(odd, "a")).endswith("); it must be ECDSA, RSA or Ed25519")


@pytest.mark.parametrize("source", ["", "system/tls"])
def test_a_set_names_the_text_that_is_missing(certificates: CertificateSet, source: str) -> None:
    data = certificates.as_data()
    prefix = f"{source}/" if source else ""
    for name in ("ca.crt", "tls.crt", "tls.key"):
        lacking = {key: text for key, text in data.items() if key != name}
        assert refused(partial(CertificateSet.from_data, lacking, source)) == f"{prefix}{name}: is missing; {WHOLE}"
        assert refused(partial(CertificateSet.from_data, {**data, name: b""}, source)) == f"{prefix}{name}: is empty; {WHOLE}"
    for without in ({key: text for key, text in data.items() if key != "ca.key"}, {**data, "ca.key": b""}):
        found = CertificateSet.from_data(without, source)
        assert "ca.key" not in found.as_data()
        assert refused(found.authority) == f"{prefix}ca.key: is missing; only the holder of the authority's key can issue certificates"
    assert CertificateSet.from_data(data, source).as_data() == data


def test_a_set_whose_parts_do_not_fit_names_them(
    certificates: CertificateSet, authority: Pair, serving: Pair, expired: tuple[Pair, Pair], now: datetime
) -> None:
    together = "the two must be made and copied together"
    not_signed = f"d/tls.crt: isn't signed by any certificate of ca.crt; {ISSUE_ANEW}"
    no_authority = "d/ca.crt: isn't an authority's certificate; it must have CA:TRUE and keyCertSign"
    named = replace(certificates, source="d")

    def faults(changed: CertificateSet, moment: datetime = now) -> list[str]:
        return [str(fault) for fault in changed.faults(moment)]

    assert faults(named) == []
    assert named.check(now) is named
    swapped = replace(named, serving=replace(named.serving, key=serving.key), authority_key=authority.key)
    assert faults(swapped) == [f"d/tls.key: isn't the key of d/tls.crt; {together}", f"d/ca.key: isn't the key of d/ca.crt; {together}"]
    assert refused(swapped.authority) == f"d/ca.key: isn't the key of d/ca.crt; {together}"
    assert refused(lambda: swapped.check(now)) == f"d/tls.key: isn't the key of d/tls.crt; {together}"
    assert faults(replace(named, serving=serving)) == [not_signed]
    assert faults(replace(named, authorities=(serving.certificate,), authority_key=None)) == [not_signed, no_authority]
    old, of_old = expired
    ended, ends = old.certificate.not_valid_after_utc, of_old.certificate.not_valid_after_utc
    told = [
        f"d/ca.crt: expired on {ended:%Y-%m-%d %H:%M} UTC; create a new authority and publish it",
        f"d/tls.crt: expired on {ends:%Y-%m-%d %H:%M} UTC; issue a new one",
    ]
    assert faults(CertificateSet((old.certificate,), old.key, of_old, "d")) == told
    # An older authority that signed nothing here may expire.
    assert faults(replace(named, authorities=(*named.authorities, old.certificate))) == []


def test_a_pair_of_files_names_the_one_at_fault(authority: Pair, serving: Pair, stored: Callable[[Pair, str], tuple[Path, Path]]) -> None:
    certificate, key = stored(serving, "serving")
    _, other = stored(authority, "authority")
    assert load_pair(certificate, key).certificate == serving.certificate
    assert (
        refused(lambda: load_pair(certificate, other))
        == f"{other}: isn't the key of {certificate}; the two must be made and copied together"
    )
    missing = certificate.with_name("none")
    remedy = "a PEM file that this user may read is needed"
    for action in (lambda: load_pair(missing, key), lambda: load_pair(certificate, missing)):
        assert refused(action) == f"{missing}: can't be read (No such file or directory); {remedy}"
