"""The parts that `weighbridge serve` creates for its options before it serves, and the options that exclude each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.webhook.held_api import HeldAPI
from weighbridge.webhook.cli import serve
from weighbridge.webhook.server import ca_bundle, certificate_secret, config_maps, crd_losses, live_cluster, process, registered_names
from weighbridge.webhook.server.certificates import ServingCertificate
from weighbridge.webhook.server.process import Listeners
from weighbridge.webhook.server.publisher import Publisher
from weighbridge.webhook.server.service import Service

ONE_OF_TWO = "give --live or --cluster, one of the two"
WITH_LIVE = "--kubeconfig and --context need --live"
SHARING = "--cert-secret and --register need --live"
NEEDS_NAMES = "--cert-secret needs --serving-name, for which the certificate is made"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--live", "--cluster", "x"), ONE_OF_TWO),
        (("--kubeconfig", "x"), WITH_LIVE),
        (("--context", "x"), WITH_LIVE),
        (("--cert-secret", "a/b"), SHARING),
        (("--register",), SHARING),
        *[
            (("--live", "--cert-secret", secret), f"--cert-secret {secret}: give NAMESPACE/NAME")
            for secret in ("a", "a/", "/b", "a/b/c", "/")
        ],
        (("--live", "--cert-secret", "a/b", "--self-signed", "x"), "give --cert-secret or --self-signed, one of the two"),
        (("--live", "--cert-secret", "a/b"), NEEDS_NAMES),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments: tuple[str, ...], said: str) -> None:
    found = run("serve", *arguments)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines()[-1] == f"Error: {said}"


class Started:
    """What would run: the service, and the names of the tasks that would run with it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.service: Service | None = None
        self.beside: list[tuple[Any, ...]] = []
        for module, name in (
            (config_maps, "follow_config_maps"),
            (live_cluster, "follow"),
            (registered_names, "follow_registered_names"),
            (ca_bundle, "keep_registered"),
        ):
            monkeypatch.setattr(module, name, self._named(name))
        monkeypatch.setattr(ServingCertificate, "watch", lambda _, seconds: ("certificate", seconds))
        monkeypatch.setattr(Publisher, "watch", lambda _, seconds: ("publisher", seconds))
        monkeypatch.setattr(crd_losses.CRDLosses, "watch", lambda _, seconds: ("losses", seconds))
        monkeypatch.setattr(certificate_secret.SharedCertificates, "begin", lambda shared: shared._directory.mkdir(exist_ok=True))
        monkeypatch.setattr(certificate_secret.SharedCertificates, "watch", lambda _: ("secret",))
        monkeypatch.setattr(process, "run", self._run)

    def _named(self, name: str) -> Any:
        def called(*arguments: Any, **_: Any) -> tuple[Any, ...]:
            return (name, *(argument for argument in arguments if isinstance(argument, str)))

        return called

    def _run(self, service: Service, listeners: Listeners, _: Any, companions: list[Any]) -> int:
        listeners.webhook.close()
        listeners.health.close()
        self.service, self.beside = service, [companion() for companion in companions]
        return 7


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    HeldAPI({}).connected(monkeypatch)
    return Started(monkeypatch)


ALWAYS = [("certificate", 3.0), ("publisher", 3.0), ("losses", 3.0)]
FOLLOWING = [("follow", "file", "there"), ("follow_config_maps", "file", "there")]
LIVE = ("--live", "--kubeconfig", "file", "--context", "there")


@pytest.mark.parametrize(
    ("arguments", "beside", "awaited"),
    [
        (("--self-signed", "127.0.0.1"), ALWAYS, ""),
        (
            ("--self-signed", "127.0.0.1", *LIVE),
            [*ALWAYS, *FOLLOWING],
            "cluster: not read yet, namespaces' configuration: not read yet",
        ),
        (
            ("--self-signed", "127.0.0.1", "--register", *LIVE),
            [*ALWAYS, ("keep_registered", "file", "there"), *FOLLOWING],
            "cluster: not read yet, namespaces' configuration: not read yet",
        ),
    ],
)
def test_what_goes_on_beside_the_server_follows_from_the_options(
    started: Started, tmp_path: Path, arguments: tuple[str, ...], beside: list[tuple[Any, ...]], awaited: str
) -> None:
    serving = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", str(tmp_path / "tls"), "--reload-seconds", "3")
    found = run("serve", *serving, *arguments)
    assert (found.returncode, found.stdout, found.stderr) == (7, "", "")
    assert started.service is not None
    assert started.beside == beside
    assert started.service.readiness.awaited == awaited
    assert sorted(path.name for path in (tmp_path / "tls").iterdir() if path.suffix) == ["ca.crt", "ca.key", "tls.crt", "tls.key"]
    # The next start serves the existing certificate.
    names = tuple(argument for argument in arguments if argument not in {"--self-signed", "127.0.0.1"})
    assert run("serve", *serving, *names).returncode == 7
    more = [("follow_registered_names", "file", "there")] if "--live" in names else []
    assert started.beside == [*beside, *more]
    if "--live" in names:
        secret = ("--cert-secret", "system/tls", "--serving-name", "127.0.0.1")
        assert run("serve", *serving, *names, *secret).returncode == 7
        assert started.beside == [("secret",), *beside]


def test_a_name_to_expect_must_be_one(started: Started, tmp_path: Path) -> None:
    serving = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", str(tmp_path))
    assert run("serve", *serving, "--self-signed", "127.0.0.1").returncode == 7
    found = run("serve", *serving, "--serving-name", "a:443")
    remedy = "is neither a DNS name nor an IP address; give it without scheme, port or brackets"
    assert (found.returncode, found.stderr) == (2, f"Error: 'a:443': {remedy}\n")


def test_the_configuration_of_the_file_is_in_force_and_counted(started: Started, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nreferences: warn\n")
    serving = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", str(tmp_path), "--self-signed", "127.0.0.1")
    assert run("serve", *serving, "--config", str(tmp_path / "c.yaml"), "--max-body", "5000").returncode == 7
    assert started.service is not None
    assert (started.service.config.references, started.service.settings.max_body) == ("warn", 5000)
    assert started.service.settings.cert_dir == tmp_path
    sample = started.service.metrics.registry.get_sample_value
    assert sample("weighbridge_configuration_last_reload_successful") == 1


def test_each_setting_is_an_option_of_its_type() -> None:
    types = {parameter.name: (parameter.type.name, parameter.default) for parameter in serve.command.params}
    assert types["cert_dir"][0] == types["client_ca"][0] == "path"
    assert (types["port"], types["health_port"][0]) == (("integer", 9443), "integer")
    assert types["drain_seconds"][0] == "float"
    assert types["log_level"] == ("choice", "info")
    assert types["host"][0] == "text"
