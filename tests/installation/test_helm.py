"""The chart on a real API server: installed, set to deny, uninstalled; and what stays then."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.conftest import ROOT
from tests.e2e.conftest import crd_files
from tests.installation.pods import APISERVER_FLAGS, NAMESPACE, Pod, ca_bundles, get, own_address
from tests.installation.test_install import create, until
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.certs.authority import create_authority
from weighbridge.certs.pair import Pair, sign, start_certificate

pytestmark = [pytest.mark.control_plane, pytest.mark.skipif(not own_address(), reason="endpoints need an address that isn't loopback")]

_CHART = str(ROOT / "deploy" / "chart")
_INCOMPLETE, _GOOD = "pvc://weights", "https://example.com/m.gguf"


@pytest.fixture
def plane(control_plane_assets: Assets, tmp_path: Path) -> Iterator[ControlPlane]:
    """A control plane with the CRDs that the example needs."""
    with ControlPlane(control_plane_assets, apiserver_flags=APISERVER_FLAGS) as plane:
        install_crds(plane, *(path for path in crd_files(tmp_path) if "models" in path.name))
        yield plane


@pytest.fixture
def run_helm(helm: Path, plane: ControlPlane, tmp_path: Path) -> Callable[..., str]:
    """Runs helm on the release. Returns its output."""

    def run(verb: str, *arguments: str) -> str:
        environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "KUBECONFIG": str(plane.kubeconfig)}
        command = [str(helm), verb, "weighbridge", *arguments, "-n", NAMESPACE]
        done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=100, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.mark.timeout(300)
def test_a_release_is_installed_upgraded_and_uninstalled(plane: ControlPlane, run_helm: Callable[..., str], tmp_path: Path) -> None:
    run_helm("install", _CHART, "--create-namespace")
    with Pod(plane, tmp_path / "pod") as pod:
        until(lambda: "" not in ca_bundles(plane), f"nothing is registered: {pod.log.read_text()[-2000:]}")
        code, words = create(plane, _INCOMPLETE)
        assert (code, "in mode deny it would refuse this" in words) == (0, True)

        run_helm("upgrade", _CHART, "--reuse-values", "--set", "mode=deny")
        assert "" not in ca_bundles(plane), "an upgrade leaves the caBundle alone"
        webhooks = get(plane, "validatingwebhookconfiguration", "weighbridge")["webhooks"]
        assert {webhook["failurePolicy"] for webhook in webhooks if webhook["name"].startswith("validate.")} == {"Fail"}
        pod.refresh_configuration()
        until(lambda: "LLMKUBE-009" in create(plane, _INCOMPLETE)[1] and create(plane, _INCOMPLETE)[0] == 1, "it isn't refused")
        assert create(plane, _GOOD)[0] == 0

        run_helm("rollback", "1")
        pod.refresh_configuration()
        until(lambda: create(plane, _INCOMPLETE)[0] == 0, "it is refused after the rollback")

    run_helm("uninstall")
    kinds = "clusterrole,clusterrolebinding,mutatingwebhookconfiguration,validatingwebhookconfiguration"
    left = plane.kubectl("get", kinds, "-o", "name").stdout
    assert not [line for line in left.splitlines() if "weighbridge" in line]
    assert (
        plane.kubectl("get", "deployment,service,configmap,role,rolebinding,serviceaccount", "-n", NAMESPACE, "-o", "name").stdout.count(
            "weighbridge"
        )
        == 0
    )
    assert get(plane, "secret", "weighbridge-tls", "-n", NAMESPACE)["data"], "the authority outlives the release"
    assert create(plane, _INCOMPLETE) == (0, "")


@pytest.fixture
def shown(tmp_path: Path) -> Pair:
    """An authority, and in `api-server/` the files with which an API server shows one of its certificates to Weighbridge."""
    folder, now = tmp_path / "api-server", datetime.now(UTC)
    folder.mkdir()
    authority = create_authority(now)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "kube-apiserver")])
    client = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
    builder = start_certificate(subject, key, now, now + timedelta(days=1)).issuer_name(authority.certificate.subject)
    pair = Pair(sign(builder.add_extension(client, critical=False), authority.key), key)
    user = {
        "client-certificate-data": base64.b64encode(pair.certificate_pem()).decode(),
        "client-key-data": base64.b64encode(pair.key_pem()).decode(),
    }
    users = [{"name": f"weighbridge.{NAMESPACE}.svc", "user": user}]
    (folder / "kubeconfig").write_text(json.dumps({"apiVersion": "v1", "kind": "Config", "users": users}))
    webhooks = {
        "apiVersion": "apiserver.config.k8s.io/v1",
        "kind": "WebhookAdmissionConfiguration",
        "kubeConfigFile": str(folder / "kubeconfig"),
    }
    plugins = [{"name": name, "configuration": webhooks} for name in ("ValidatingAdmissionWebhook", "MutatingAdmissionWebhook")]
    configuration = {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "AdmissionConfiguration", "plugins": plugins}
    (folder / "admission.yaml").write_text(json.dumps(configuration))
    return authority


@pytest.mark.timeout(300)
def test_an_api_server_that_shows_a_certificate_is_answered(control_plane_assets: Assets, helm: Path, shown: Pair, tmp_path: Path) -> None:
    """tests/webhook/test_certificates.py tests that other clients get no answer."""
    flags = (*APISERVER_FLAGS, f"--admission-control-config-file={tmp_path / 'api-server' / 'admission.yaml'}")
    values = tmp_path / "values.yaml"
    values.write_text(json.dumps({"mode": "deny", "clientCA": shown.certificate_pem().decode()}))
    with ControlPlane(control_plane_assets, apiserver_flags=flags) as plane:
        install_crds(plane, *(path for path in crd_files(tmp_path) if "models" in path.name))
        environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "KUBECONFIG": str(plane.kubeconfig)}
        command = [str(helm), "install", "weighbridge", _CHART, "--create-namespace", "-n", NAMESPACE, "--values", str(values)]
        subprocess.run(command, check=True, env=environ, capture_output=True, timeout=100)
        with Pod(plane, tmp_path / "pod") as pod:
            until(lambda: "" not in ca_bundles(plane), f"nothing is registered: {pod.log.read_text()[-2000:]}")
            until(lambda: "LLMKUBE-009" in create(plane, _INCOMPLETE)[1], "the API server isn't answered")


def test_a_release_with_monitoring_is_what_the_operator_takes(plane: ControlPlane, run_helm: Callable[..., str]) -> None:
    """The operator's CRDs aren't bundled here, so CRDs that accept any spec are used instead."""
    for kind, plural in (("PodMonitor", "podmonitors"), ("PrometheusRule", "prometheusrules")):
        plane.kubectl("apply", "-f", "-", input=_any_crd(kind, plural), check=True)
    until(lambda: plane.kubectl("get", "podmonitors,prometheusrules", "-A").returncode == 0, "the kinds aren't served")
    run_helm("install", _CHART, "--create-namespace", "--set", "monitoring.enabled=true", "--set", "monitoring.labels.release=p")
    rule = get(plane, "prometheusrule", "weighbridge", "-n", NAMESPACE)
    assert rule["metadata"]["labels"]["release"] == "p"
    assert rule["spec"]["groups"][0]["rules"][0]["alert"] == "WeighbridgeUnavailable"
    dashboard = get(plane, "configmap", "weighbridge-dashboard", "-n", NAMESPACE)
    assert dashboard["data"]["weighbridge.json"] == (ROOT / "deploy" / "monitoring" / "dashboard.json").read_text()


def _any_crd(kind: str, plural: str) -> str:
    group = "monitoring.coreos.com"
    return f"""\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.{group}}}
spec:
  group: {group}
  names: {{kind: {kind}, plural: {plural}}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""
