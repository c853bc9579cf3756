"""The contents of the certificates, and the names that are refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.x509.verification import PolicyBuilder, Store

from tests.certs.conftest import NAMES
from weighbridge.certs.authority import create_authority, is_authority
from weighbridge.certs.errors import CertificateError
from weighbridge.certs.inspection import describe
from weighbridge.certs.pair import Pair, PrivateKey, read_key, sign, start_certificate
from weighbridge.certs.serving_certificate import is_covered, issue, service_names


def test_the_authority_may_sign_leaves_and_nothing_else(authority: Pair, now: datetime) -> None:
    extensions = authority.certificate.extensions
    constraints = extensions.get_extension_for_class(x509.BasicConstraints)
    usage = extensions.get_extension_for_class(x509.KeyUsage)
    assert (constraints.critical, constraints.value) == (True, x509.BasicConstraints(ca=True, path_length=0))
    assert (usage.critical, usage.value.key_cert_sign, usage.value.crl_sign, usage.value.digital_signature) == (True, True, True, False)
    assert len(extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest) == 20
    assert authority.certificate.not_valid_before_utc == now - timedelta(hours=1)
    assert authority.certificate.not_valid_after_utc == now + timedelta(days=3652)
    assert authority.certificate.subject != create_authority(now).certificate.subject


def test_verifiers_must_understand_what_limits_a_key_and_may_pass_over_the_rest(authority: Pair, serving: Pair) -> None:
    critical = {"basicConstraints", "keyUsage"}
    others = {"subjectKeyIdentifier", "authorityKeyIdentifier", "extendedKeyUsage", "subjectAltName"}
    for certificate, names in ((authority.certificate, critical | {"subjectKeyIdentifier"}), (serving.certificate, critical | others)):
        told = {extension.oid._name: extension.critical for extension in certificate.extensions}
        assert told == {name: name in critical for name in names}


def test_another_verifier_accepts_the_serving_certificate(authority: Pair, serving: Pair, now: datetime) -> None:
    verifier = PolicyBuilder().store(Store([authority.certificate])).time(now).build_server_verifier(x509.DNSName(NAMES[2]))
    assert verifier.verify(serving.certificate, []) == [serving.certificate, authority.certificate]


def test_the_serving_certificate_lives_a_year_and_points_at_its_authority(authority: Pair, serving: Pair, now: datetime) -> None:
    extensions = serving.certificate.extensions
    own = authority.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    assert extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value.key_identifier == own.digest
    assert serving.certificate.not_valid_after_utc == now + timedelta(days=365)
    assert not is_authority(serving.certificate)


def test_a_services_names_are_the_four_that_a_cluster_resolves() -> None:
    long = "hook.prod.svc.cluster.internal"
    assert service_names("hook", "prod", cluster_domain="cluster.internal") == ("hook", "hook.prod", "hook.prod.svc", long)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "https://a.svc",
        "a.svc:443",
        "[::1]",
        "a b",
        "a..b",
        "-a.svc",
        "a_b",
        "10.0.0.300",
        "10.0",
        "x" * 64,
        "a." * 127 + "svc",
        "*",
        "a.*.b",
        "é.org",
        "a\n",
    ],
)
def test_what_is_no_name_is_refused(name: str, authority: Pair, now: datetime) -> None:
    with pytest.raises(CertificateError, match="is neither a DNS name nor an IP address; give it without scheme, port or brackets"):
        issue(authority, ["ok.example.org", name], now)


def test_names_are_kept_once_and_in_lower_case(authority: Pair, now: datetime) -> None:
    made = issue(authority, ["A.Example.org", "a.example.org", "2001:DB8::1", "2001:db8:0::1", "*.example.org"], now)
    described = describe(made.certificate, now)
    assert (described.dns_names, described.ip_addresses) == (("a.example.org", "*.example.org"), ("2001:db8::1",))
    asked = ["A.EXAMPLE.ORG", "b.example.org", "2001:db8::1", "example.org", "c.b.example.org", "10.0.0.1", "no name"]
    assert [is_covered(made.certificate, name) for name in asked] == [True, True, True, False, False, False, False]


def test_only_a_living_authority_with_its_own_key_issues(authority: Pair, serving: Pair, expired: tuple[Pair, Pair], now: datetime) -> None:
    for wrong, message in [
        (serving, "may not sign certificates"),
        (Pair(authority.certificate, serving.key), "the authority's key belongs to another certificate"),
        (expired[0], "isn't valid now"),
    ]:
        with pytest.raises(CertificateError, match=message):
            issue(wrong, NAMES, now)
    with pytest.raises(CertificateError, match="there is no name to issue it for"):
        issue(authority, [], now)
    with pytest.raises(ValueError, match="no time zone"):
        create_authority(now.replace(tzinfo=None))


@pytest.mark.parametrize("key", [rsa.generate_private_key(65537, 2048), ed25519.Ed25519PrivateKey.generate()], ids=["RSA 2048", "Ed25519"])
def test_an_authority_of_another_kind_can_sign_too(key: PrivateKey, now: datetime, request: pytest.FixtureRequest) -> None:
    name = x509.Name.from_rfc4514_string("CN=brought along")
    builder = start_certificate(name, key, now, now + timedelta(days=9)).issuer_name(name)
    authority = Pair(sign(builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True), key), key)
    made = issue(authority, NAMES, now)
    assert describe(made.certificate, now, authorities=[authority.certificate]).signed_by_authority
    assert describe(authority.certificate, now).key_type == request.node.callspec.id


def test_an_encrypted_key_is_refused_in_words(serving: Pair) -> None:
    encrypted = serving.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    with pytest.raises(CertificateError, match=r"tls\.key: the private key is encrypted; it must be stored without a passphrase"):
        read_key(encrypted, "tls.key")


def test_a_description_says_what_the_certificate_holds(authority: Pair, serving: Pair) -> None:
    began = serving.certificate.not_valid_before_utc
    moment = serving.certificate.not_valid_after_utc - timedelta(days=9, hours=1)
    told = json.loads(json.dumps(describe(serving.certificate, moment, authorities=[authority.certificate], key=serving.key).as_json()))
    assert told.pop("sha256").count(":") == 31
    assert int(told.pop("serial"), 16) == serving.certificate.serial_number
    assert told.pop("issuer").startswith("CN=weighbridge CA ")
    assert told == {
        "subject": "CN=weighbridge serving certificate",
        "dnsNames": list(NAMES[:-2]),
        "ipAddresses": ["127.0.0.1", "::1"],
        "notBefore": began.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "notAfter": serving.certificate.not_valid_after_utc.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "daysLeft": 9,
        "keyType": "ECDSA secp256r1",
        "isAuthority": False,
        "signedByAuthority": True,
        "keyMatches": True,
    }


def test_a_description_compares_only_with_what_it_is_given(authority: Pair, serving: Pair, now: datetime) -> None:
    alone = describe(authority.certificate, now)
    assert (alone.is_authority, alone.signed_by_authority, alone.key_matches) == (True, None, None)
    other = describe(serving.certificate, now, authorities=[create_authority(now).certificate], key=authority.key)
    assert (other.signed_by_authority, other.key_matches) == (False, False)


def test_days_left_are_negative_once_it_has_ended_and_the_same_in_every_zone(serving: Pair) -> None:
    end = serving.certificate.not_valid_after_utc
    assert describe(serving.certificate, end + timedelta(hours=1)).days_left == -1
    assert describe(serving.certificate, end.astimezone(timezone(timedelta(hours=9)))).days_left == 0
    assert describe(serving.certificate, end).not_after.tzinfo is UTC
