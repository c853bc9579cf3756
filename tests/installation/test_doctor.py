"""`weighbridge doctor` on an installation that is well, and on each fault that it has to name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from policies.objects import JSONObject
from tests.command_line import run
from tests.conftest import ROOT
from tests.e2e.conftest import crd_files
from tests.installation.pods import APISERVER_FLAGS, NAMESPACE, Pod, ca_bundles, own_address
from tests.installation.test_install import until
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane

pytestmark = [pytest.mark.control_plane, pytest.mark.skipif(not own_address(), reason="endpoints need an address that isn't loopback")]

_INSTALL = ROOT / "deploy" / "install.yaml"


@pytest.fixture(scope="module")
def plane(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with one family's CRDs and everything of deploy/install.yaml."""
    with ControlPlane(control_plane_assets, apiserver_flags=APISERVER_FLAGS) as plane:
        install_crds(plane, *crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev"))
        plane.kubectl("apply", "-f", str(_INSTALL), check=True)
        yield plane


@pytest.fixture
def installed(plane: ControlPlane, tmp_path: Path) -> Iterator[ControlPlane]:
    """The installation with a pod that serves; no controller is there to say that it is ready."""
    plane.kubectl("apply", "-f", str(_INSTALL), check=True)
    plane.kubectl("scale", "deployment/weighbridge", "-n", NAMESPACE, "--replicas", "2", check=True)
    _report_ready(plane, 2)
    with Pod(plane, tmp_path / "pod") as pod:
        until(lambda: "" not in ca_bundles(plane), f"nothing is registered: {pod.log.read_text()[-2000:]}")
        yield plane


def _report_ready(plane: ControlPlane, count: int) -> None:
    status = json.dumps({"status": {"replicas": count, "readyReplicas": count}})
    options = ("-n", NAMESPACE, "--subresource=status", "--type=merge", "-p", status)
    plane.kubectl("patch", "deployment", "weighbridge", *options, check=True)


def examined(plane: ControlPlane) -> tuple[int, dict[str, JSONObject]]:
    """The exit code, and the checks that aren't ok."""
    done = run("doctor", "--kubeconfig", str(plane.kubeconfig), "-o", "json")
    return done.returncode, {check["check"]: check for check in json.loads(done.stdout) if check["health"] != "ok"}


def test_an_installation_that_is_well_has_no_problem(installed: ControlPlane) -> None:
    until(lambda: examined(installed) == (0, {}), str(examined(installed)))
    done = run("doctor", "--kubeconfig", str(installed.kubeconfig))
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["ok"] * len(done.stdout.splitlines())
    assert "a call from the API server: it was answered; mode audit refuses nothing" in done.stdout
    assert "2 of 2 replicas are ready" in done.stdout


def _remove_configuration(plane: ControlPlane) -> None:
    plane.kubectl("delete", "validatingwebhookconfiguration", "weighbridge", check=True)


def _take_a_webhook_away(plane: ControlPlane) -> None:
    patch = json.dumps([{"op": "remove", "path": "/webhooks/0"}])
    plane.kubectl("patch", "mutatingwebhookconfiguration", "weighbridge", "--type=json", "-p", patch, check=True)


def _take_rights_away(plane: ControlPlane) -> None:
    plane.kubectl("delete", "clusterrolebinding", "weighbridge", check=True)


def _scale_to_none(plane: ControlPlane) -> None:
    plane.kubectl("scale", "deployment/weighbridge", "-n", NAMESPACE, "--replicas", "0", check=True)


def _lose_a_replica(plane: ControlPlane) -> None:
    _report_ready(plane, 1)


def _take_endpoints_away(plane: ControlPlane) -> None:
    plane.kubectl("delete", "endpointslices", "--all", "-n", NAMESPACE, check=True)


def _remove_service(plane: ControlPlane) -> None:
    plane.kubectl("delete", "service", "weighbridge", "-n", NAMESPACE, check=True)


@pytest.mark.parametrize(
    ("break_it", "check", "found", "remedy"),
    [
        (_remove_configuration, "ValidatingWebhookConfiguration", "the cluster has none of the name weighbridge", "kubectl apply -f"),
        (_take_a_webhook_away, "MutatingWebhookConfiguration", "it lacks mutate.", "kubectl apply -f"),
        (_take_rights_away, f"rights of ServiceAccount {NAMESPACE}/weighbridge", "it may not list ", "deploy/cluster-roles.yaml"),
        (_scale_to_none, f"Deployment {NAMESPACE}/weighbridge", "it is scaled to none", "--replicas 2"),
        (_lose_a_replica, f"Deployment {NAMESPACE}/weighbridge", "1 of 2 replicas are ready", "describe pods"),
        (_take_endpoints_away, f"Service {NAMESPACE}/weighbridge", "it has no ready endpoint", "get endpointslices,pods"),
        (_remove_service, f"Service {NAMESPACE}/weighbridge", "it isn't there", "kubectl apply -f"),
    ],
)
def test_each_fault_is_named_with_what_mends_it(
    installed: ControlPlane, break_it: Callable[[ControlPlane], None], check: str, found: str, remedy: str
) -> None:
    break_it(installed)
    code, told = examined(installed)
    assert code == 1
    assert found in told[check]["found"]
    assert remedy in told[check]["run"]


def test_a_webhook_that_can_not_be_called_is_a_problem(plane: ControlPlane) -> None:
    plane.kubectl("apply", "-f", str(_INSTALL), check=True)
    code, told = examined(plane)
    assert code == 1
    assert told["a call from the API server"]["health"] == "problem"


def test_a_webhook_of_others_on_the_same_kinds_is_named(installed: ControlPlane) -> None:
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["*"]}
    webhook: dict[str, Any] = {"name": "all.example.com", "rules": [rule], "sideEffects": "None", "admissionReviewVersions": ["v1"]}
    webhook |= {"clientConfig": {"url": "https://127.0.0.1:1/x"}, "failurePolicy": "Ignore"}
    other = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration"}
    installed.kubectl("apply", "-f", "-", input=json.dumps({**other, "metadata": {"name": "others"}, "webhooks": [webhook]}), check=True)
    try:
        done = run("doctor", "--kubeconfig", str(installed.kubeconfig))
        assert "others/all.example.com may change the same objects" in done.stdout
    finally:
        installed.kubectl("delete", "mutatingwebhookconfiguration", "others", check=True)


def test_a_cluster_that_can_not_be_reached_is_one_error(tmp_path: Path) -> None:
    done = run("doctor", "--kubeconfig", str(tmp_path / "none"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such kubeconfig" in done.stderr
