"""A pipe, a device or a huge file in place of a file that a server reads: it is reported, and the server keeps running."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.webhook.reviews import review
from tests.webhook.serving import Server, run_serve, serving, wait_for
from weighbridge.webhook.server.certificates import bring_self_signed_up_to_date

CONFIG = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\n"


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


#: Functions that create something other than a file, and the message about each.
TRAPS: dict[str, tuple[Callable[[Path], None], str]] = {
    "pipe": (os.mkfifo, "not a regular file but a named pipe"),
    "device": (_endless, "not a regular file but a device"),
    "huge": (_huge, "larger than "),
    "directory": (os.mkdir, "s a directory"),
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The files that a server watches, all valid."""
    bring_self_signed_up_to_date(tmp_path / "tls", ["127.0.0.1"], datetime.now(UTC))
    (tmp_path / "ca.crt").write_bytes((tmp_path / "tls" / "ca.crt").read_bytes())
    (tmp_path / "config.yaml").write_text(CONFIG)
    return {
        "config": tmp_path / "config.yaml",
        "certificate": tmp_path / "tls" / "tls.crt",
        "key": tmp_path / "tls" / "tls.key",
        "client": tmp_path / "ca.crt",
    }


def _options(files: dict[str, Path]) -> list[str]:
    client = ["--client-ca", str(files["client"])] if "client" in files else []
    return ["--config", str(files["config"]), *client, "--reload-seconds", "0.1", "--drain-seconds", "0"]


def _swap(path: Path, make: Callable[[Path], None]) -> None:
    kept = path.with_suffix(".kept")
    path.rename(kept)
    make(path)


@pytest.mark.parametrize(
    ("which", "trap"),
    [("config", "pipe"), ("config", "device"), ("certificate", "pipe"), ("key", "huge"), ("key", "directory"), ("client", "device")],
)
def test_start_refuses_what_is_no_file(files: dict[str, Path], which: str, trap: str) -> None:
    make, said = TRAPS[trap]
    _swap(files[which], make)
    directory = str(files["key"].parent)
    answer = run_serve("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", directory, *_options(files))
    assert (answer.returncode, answer.stdout) == (2, "")
    (line,) = answer.stderr.splitlines()
    assert line.startswith(f"Error: {files[which]}: ")
    assert said in line


def _refusals(server: Server) -> float:
    kinds = ("configuration", "certificate")
    return sum(server.metric(f'weighbridge_{kind}_reloads_total{{result="refused"}}') for kind in kinds)


@pytest.mark.parametrize(
    ("which", "trap"),
    [("config", "pipe"), ("config", "huge"), ("certificate", "pipe"), ("key", "pipe"), ("key", "device"), ("client", "pipe")],
)
def test_running_server_keeps_what_it_has_and_ends_when_told(files: dict[str, Path], which: str, trap: str) -> None:
    make, said = TRAPS[trap]
    if which != "client":
        del files["client"]
    with serving(files["key"].parent, _options(files)) as server:
        assert server.page("/readyz")[0] == 200
        _swap(files[which], make)
        line = server.logged("the configuration can't be used" if which == "config" else "certificate files can't be used")
        assert said in str(line)
        if which != "client":
            assert server.call(review())[0] == 200
        wait_for(lambda: _refusals(server) == 1)
        server.send(signal.SIGTERM)
        assert server.wait() == 0


def test_configuration_that_is_a_file_again_is_taken_up(files: dict[str, Path]) -> None:
    del files["client"]
    path = files["config"]
    with serving(files["key"].parent, _options(files)) as server:
        _swap(path, os.mkfifo)
        server.logged("the configuration can't be used")
        path.unlink()
        path.write_text(CONFIG + "references: warn\n")
        server.logged("configuration read again")


@pytest.mark.parametrize("option", ["--kubeconfig", "KUBECONFIG"])
def test_kubeconfig_that_can_be_read_once_is_refused(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    pipe = files["config"].with_name("kubeconfig")
    os.mkfifo(pipe)
    given = [option, str(pipe)] if option.startswith("-") else []
    if not given:
        monkeypatch.setenv(option, str(pipe))
    answer = run_serve("--live", "--cert-dir", str(files["key"].parent), *given)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"Error: {pipe}: not a regular file but a named pipe;")
