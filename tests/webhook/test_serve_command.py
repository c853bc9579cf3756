"""`weighbridge serve` with unusable options or files: one line with the mistake, exit code 2, no traceback."""

from __future__ import annotations

import re
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.webhook.serving import run_serve
from weighbridge.webhook.server.certificates import bring_self_signed_up_to_date


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with a CA and a certificate for the loopback address."""
    bring_self_signed_up_to_date(tmp_path / "tls", ["127.0.0.1"], datetime.now(UTC))
    return tmp_path / "tls"


def _refused(*arguments: str) -> str:
    """The one line on stderr."""
    answer = run_serve("--host", "127.0.0.1", "--port", "0", "--health-port", "0", *arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    (line,) = answer.stderr.splitlines()
    return line


def test_missing_certificate_says_how_to_get_one(tmp_path: Path) -> None:
    assert (
        _refused("--cert-dir", str(tmp_path)) == f"Error: {tmp_path}: no tls.crt and tls.key in there; --self-signed NAME_OR_IP makes them"
    )


@pytest.mark.parametrize(("name", "content"), [("tls.crt", b"nonsense"), ("tls.key", b""), ("tls.key", None)])
def test_unusable_certificate_is_named(directory: Path, name: str, content: bytes | None) -> None:
    (directory / name).unlink()
    if content is not None:
        (directory / name).write_bytes(content)
    assert _refused("--cert-dir", str(directory)).startswith(f"Error: {directory / name}: ")


def test_name_that_is_none_is_refused(tmp_path: Path) -> None:
    line = _refused("--cert-dir", str(tmp_path), "--self-signed", "https://x")
    assert line.startswith("Error: 'https://x': is neither a DNS name nor an IP address")


@pytest.mark.parametrize("option", ["--port", "--health-port"])
def test_port_in_use_is_named(directory: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = _refused("--cert-dir", str(directory), option, str(port))
    assert line == f"Error: can't listen on 127.0.0.1:{port}: Address already in use"


def test_host_that_is_not_ours_is_named(directory: Path) -> None:
    assert re.match(r"Error: can't listen on nosuch\.invalid:0: .+", _refused("--cert-dir", str(directory), "--host", "nosuch.invalid"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--port", "70000"), "--port 70000: write 65535 or less"),
        (("--concurrency", "0"), "--concurrency 0: write 1 or more"),
        (("--deadline", "0.1", "--deadline-margin", "5"), "--deadline-margin 5.0: must be less than the deadline, 0.1"),
        (("--deadline", "inf"), "--deadline inf: write a number that is finite"),
        (("--drain-seconds", "-1"), "--drain-seconds -1.0: write 0 or more"),
    ],
)
def test_setting_out_of_range_is_named(arguments: tuple[str, str], message: str) -> None:
    assert _refused(*arguments) == f"Error: {message}"


@pytest.mark.parametrize("option", ["--config", "--cluster", "--crds"])
def test_file_that_is_not_there_is_named(directory: Path, option: str) -> None:
    assert "/nowhere.yaml" in _refused("--cert-dir", str(directory), option, "/nowhere.yaml")


def test_configuration_that_is_none_is_refused(directory: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nonEror: warn\n")
    assert f"{config}" in _refused("--cert-dir", str(directory), "--config", str(config))
