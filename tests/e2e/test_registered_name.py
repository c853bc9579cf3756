"""The name under which the API server calls the webhook is read from the webhook configurations, and the certificate must have it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.process import WEIGHBRIDGE
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.control_plane.plane import ControlPlane
from tests.webhook.serving import started, wait_for

pytestmark = pytest.mark.control_plane

ROLES = ("weighbridge", "weighbridge-namespace-configuration", "weighbridge-registration")


def _register(plane: ControlPlane, certificates: Path, service: str) -> None:
    """Register the webhook as its own command prints it."""
    printed = subprocess.run(
        [WEIGHBRIDGE, "certs", "webhooks", str(certificates), "--service", service], capture_output=True, text=True, check=True
    )
    plane.kubectl("apply", "-f", "-", input=printed.stdout, check=True)


def _permit(plane: ControlPlane, roles: Sequence[str]) -> None:
    for role in roles:
        plane.kubectl("create", "clusterrolebinding", role, f"--clusterrole={role}", "--user=webhook", check=True)


def test_certificate_must_hold_the_registered_name(start_control_plane: StartControlPlane, tmp_path: Path) -> None:
    plane = start_control_plane(users=[User("webhook")])
    plane.kubectl("apply", "-f", str(ROOT / "deploy" / "cluster-roles.yaml"), check=True)
    _permit(plane, ROLES[:2])
    subprocess.run([WEIGHBRIDGE, "certs", "make", str(tmp_path)], capture_output=True, check=True)
    _register(plane, tmp_path, "other")
    live = ["--live", "--kubeconfig", str(plane.kubeconfig), "--context", "webhook", "--cert-dir", str(tmp_path)]
    command = [
        sys.executable,
        "-m",
        "weighbridge.webhook.cli.main",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--health-port",
        "0",
        *live,
    ]
    with started(tmp_path, [*command, "--drain-seconds", "0"]) as server:
        assert "is forbidden" in server.logged("the name in the certificate isn't checked")["reason"]
        wait_for(lambda: server.page("/readyz") == (200, "ok\n"))
        _permit(plane, ROLES[2:])
        line = server.logged("clients refuse the certificate")
        assert "doesn't hold other.weighbridge-system.svc among" in line["message"]
        status, said = server.page("/readyz")
        assert (status, "certificate: " in said) == (503, True)
        _register(plane, tmp_path, "weighbridge")
        server.logged("the certificate is good again")
        assert server.page("/readyz") == (200, "ok\n")
