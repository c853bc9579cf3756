"""`weighbridge certs`: certificates that verify, kept until they are due, and configurations that trust them."""

from __future__ import annotations

import base64
import json
import ssl
from pathlib import Path

import pytest

from tests.command_line import run
from tests.programs.control_plane.plane import ControlPlane
from tests.webhook.test_registration import BAD_URLS, GOOD_URLS
from tests.yaml_documents import read_all
from weighbridge.policies.families import families


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with certificates."""
    made = run("certs", "make", str(tmp_path / "certs"), "--name", "127.0.0.1")
    assert made.returncode == 0, made.stderr
    return tmp_path / "certs"


def test_made_certificates_load_and_name_the_service(directory: Path) -> None:
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(directory / "tls.crt", directory / "tls.key")
    shown = json.loads(run("certs", "show", str(directory), "-o", "json").stdout)
    authority, serving = shown["certificates"]
    assert (authority["isAuthority"], serving["isAuthority"]) == (True, False)
    assert "weighbridge.weighbridge-system.svc" in serving["dnsNames"]
    assert serving["ipAddresses"] == ["127.0.0.1"]
    assert serving["signedByAuthority"]
    assert shown["faults"] == []
    assert (directory / "tls.key").stat().st_mode & 0o777 == 0o600


def test_each_certificate_is_shown_with_its_names_its_days_and_its_digest(directory: Path) -> None:
    entries = json.loads(run("certs", "show", str(directory), "-o", "json").stdout)["certificates"]
    wanted: list[str] = []
    for what, entry in zip(("authority", "serving certificate"), entries, strict=True):
        wanted.append(f"{what}: {entry['subject']}, {entry['keyType']}")
        if names := ", ".join([*entry["dnsNames"], *entry["ipAddresses"]]):
            wanted.append(f"  for      {names}")
        wanted.append(f"  valid    {entry['notBefore'][:10]} to {entry['notAfter'][:10]}, {entry['daysLeft']} days left")
        wanted.append(f"  sha256   {entry['sha256']}")
    assert run("certs", "show", str(directory)).stdout.splitlines() == wanted


def test_what_is_still_good_is_kept(directory: Path) -> None:
    before = (directory / "tls.crt").read_bytes()
    again = run("certs", "make", str(directory))
    assert "nothing is due" in again.stderr
    assert (directory / "tls.crt").read_bytes() == before


def test_another_name_needs_another_certificate_of_the_same_authority(directory: Path) -> None:
    authority, serving = (directory / "ca.crt").read_bytes(), (directory / "tls.crt").read_bytes()
    assert run("certs", "make", str(directory), "--name", "weighbridge.example.com").returncode == 0
    assert (directory / "ca.crt").read_bytes() == authority
    assert (directory / "tls.crt").read_bytes() != serving


def test_a_key_that_is_not_its_own_is_told(directory: Path) -> None:
    (directory / "tls.key").write_bytes((directory / "ca.key").read_bytes())
    shown = run("certs", "show", str(directory))
    assert shown.returncode == 1
    assert "tls.key" in shown.stdout


def test_the_configurations_carry_the_authority_and_all_families(directory: Path) -> None:
    printed = run("certs", "webhooks", str(directory))
    mutating, validating = read_all(printed.stdout)
    assert (mutating["kind"], validating["kind"]) == ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
    names = [webhook["name"] for webhook in validating["webhooks"]]
    registered = list(families())
    assert names[: len(registered)] == [family.validating_webhook() for family in registered]
    assert names[len(registered) :] == [
        f"delete.{name}.weighbridge.dev" for name in ("aim", "inference-extension", "llmaz", "llmkube", "ome")
    ]
    for webhook in (*mutating["webhooks"], *validating["webhooks"]):
        assert base64.b64decode(webhook["clientConfig"]["caBundle"]) == (directory / "ca.crt").read_bytes()
        assert webhook["clientConfig"]["service"]["name"] == "weighbridge"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "DIR/absent"), "DIR/absent: no such directory; name a directory with ca.crt"),
        (("webhooks", "DIR/file"), "DIR/file: isn't a directory; name a directory with ca.crt"),
        (("make", "DIR/file"), "DIR/file: can't be created (File exists); name a directory, not a file"),
        (("make", "DIR/file/new"), "name a directory, not a file"),
        (("make", "DIR/new", "--name", "not a name"), "not a name"),
        (("make", "DIR/new", "--days", "0"), "0 is not in the range"),
    ],
    ids=["show nothing", "webhooks of a file", "a file in its place", "below a file", "no name", "no days"],
)
def test_a_wrong_command_line_is_one_error_and_two(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    (tmp_path / "file").write_text("x")
    done = run("certs", *(argument.replace("DIR", str(tmp_path)) for argument in arguments))
    assert done.returncode == 2
    assert said.replace("DIR", str(tmp_path)) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("url", ["", "https://", "https://exam\nple.com", "https://example.com?", "https://\udcff"])
def test_a_url_that_the_api_server_would_refuse_is_an_error_and_two(directory: Path, url: str) -> None:
    done = run("certs", "webhooks", str(directory), "--url", url)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--url" in done.stderr
    assert "codec" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.control_plane
def test_the_api_server_takes_what_is_printed_and_refuses_what_is_not(control_plane: ControlPlane, directory: Path) -> None:
    def answer(configurations: str) -> str:
        return control_plane.kubectl("create", "--dry-run=server", "-f", "-", input=configurations).stderr

    good = run("certs", "webhooks", str(directory), "--url", GOOD_URLS[0]).stdout
    for url in GOOD_URLS:
        assert answer(run("certs", "webhooks", str(directory), "--url", url).stdout) == ""
    for url, said in BAD_URLS.items():
        (configuration, _) = read_all(good)
        configuration["webhooks"] = configuration["webhooks"][:1]
        configuration["webhooks"][0]["clientConfig"]["url"] = url
        assert said in answer(json.dumps(configuration))


def test_every_mistake_of_a_service_is_told_at_once(directory: Path) -> None:
    done = run("certs", "webhooks", str(directory), "--service", "A", "--namespace", "B")
    assert (done.returncode, done.stdout) == (2, "")
    assert [line.removeprefix("Error: ").partition(":")[0] for line in done.stderr.splitlines()] == ["--service", "--namespace"]
