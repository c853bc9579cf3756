"""`weighbridge audit --report` on a real API server, with upstream's definitions of reports."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.e2e.conftest import crd_files
from tests.e2e.process import WEIGHBRIDGE
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.credentials import User, kubeconfig_text
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds
from tests.yaml_documents import read_all

pytestmark = pytest.mark.control_plane

_CRDS = Path(__file__).parent / "crds"
_OPEN = ("reports.openreports.io", "clusterreports.openreports.io")
_POLICY = ("policyreports.wgpolicyk8s.io", "clusterpolicyreports.wgpolicyk8s.io")
_NAMES = {crd: _CRDS / f"{crd.partition('.')[2]}_{crd.partition('.')[0]}.yaml" for crd in (*_OPEN, *_POLICY)}
_DEPLOY = ROOT / "deploy"
_NAMESPACE = "weighbridge-system"
_API = "inference.llmkube.dev/v1alpha1"


def model(name: str, **spec: Any) -> str:
    """A Model whose accelerator contradicts its vendor, and that may have other mistakes."""
    hardware = {"accelerator": "rocm", "gpu": {"enabled": True, "count": 1, "vendor": "nvidia"}}
    whole = {"source": "https://example.com/a.gguf", "hardware": hardware, **spec}
    return json.dumps({"apiVersion": _API, "kind": "Model", "metadata": {"name": name, "namespace": "lab"}, "spec": whole})


@pytest.fixture(scope="module")
def bare(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with the families' CRDs and the manifests of the CronJob, without the kinds of reports; `reader` may not write
    reports.
    """
    crds = crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev", "llmaz.io")
    with plane_with_crds(control_plane_assets, *crds, users=[User("reader")]) as plane:
        plane.kubectl("create", "namespace", "lab", check=True)
        installed = [obj for name in ("install.yaml", "reports.yaml") for obj in read_all((_DEPLOY / name).read_text()) if obj]
        # The API server would call the webhooks, and no pod would answer.
        quiet = [obj for obj in installed if not obj["kind"].endswith("WebhookConfiguration")]
        plane.kubectl("apply", "-f", "-", input=json.dumps({"apiVersion": "v1", "kind": "List", "items": quiet}), check=True)
        plane.kubectl("create", "clusterrolebinding", "reader", "--clusterrole=weighbridge", "--user=reader", check=True)
        yield plane


@pytest.fixture
def plane(bare: ControlPlane) -> Iterator[ControlPlane]:
    """The same for one test, after which objects and kinds of reports are deleted."""
    yield bare
    bare.kubectl("delete", "models.inference.llmkube.dev", "--all", "-n", "lab", check=True)
    bare.kubectl("delete", "crd", *_NAMES, "--ignore-not-found", check=True)


def arguments(plane: ControlPlane, reader: bool = False) -> list[str]:
    """The arguments of the CronJob's container, with exactly its account's rights, or with those of the reader."""
    found = json.loads(plane.kubectl("get", "cronjob", "weighbridge-reports", "-n", _NAMESPACE, "-o", "json", check=True).stdout)
    pod = found["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    folder = plane.directory / "audit"
    folder.mkdir(exist_ok=True)
    data = json.loads(plane.kubectl("get", "configmap", "weighbridge", "-n", _NAMESPACE, "-o", "json", check=True).stdout)["data"]
    for name, text in data.items():
        (folder / name).write_text(text)
    kubeconfig = folder / "kubeconfig"
    token = plane.kubectl("create", "token", pod["serviceAccountName"], "-n", _NAMESPACE, check=True).stdout.strip()
    kubeconfig.write_text(kubeconfig_text([User("auditor", token=token)], server=plane.server, ca_file=plane.ca_file))
    whose = [str(plane.kubeconfig), "--context", "reader"] if reader else [str(kubeconfig)]
    return [*(text.replace("/etc/weighbridge/configuration", str(folder)) for text in container["args"]), "--kubeconfig", *whose]


def install(plane: ControlPlane, *crds: str) -> None:
    """Install kinds of reports."""
    install_crds(plane, *(_NAMES[crd] for crd in crds))


def audit(plane: ControlPlane, *, reader: bool = False) -> tuple[int, str]:
    """The exit code, and the output other than the table."""
    done = run(*arguments(plane, reader))
    return done.returncode, done.stderr.removesuffix("\n")


def reports(plane: ControlPlane, plural: str = _OPEN[0]) -> dict[str, dict[str, Any]]:
    """The stored reports by the names of their objects."""
    found = json.loads(plane.kubectl("get", plural, "-A", "-o", "json", check=True).stdout)["items"]
    return {report["scope"]["name"]: report for report in found}


def test_reports_are_written_once_and_go_with_their_objects(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    for name in ("one", "two"):
        plane.kubectl("create", "-f", "-", input=model(name), check=True)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 2 written, 0 unchanged, 0 removed")
    first = reports(plane)
    assert set(first) == {"one", "two"}
    stored = json.loads(plane.kubectl("get", "model", "one", "-n", "lab", "-o", "json", check=True).stdout)
    report = first["one"]
    uid = stored["metadata"]["uid"]
    assert report["metadata"]["namespace"] == "lab"
    assert report["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "weighbridge"}
    assert report["metadata"]["ownerReferences"] == [{"apiVersion": _API, "kind": "Model", "name": "one", "uid": uid}]
    assert report["scope"] == {"apiVersion": _API, "kind": "Model", "name": "one", "namespace": "lab", "uid": uid}
    assert [result["policy"] for result in report["results"] if result["result"] == "fail"] == ["LLMKUBE-001", "LLMKUBE-008"]
    assert report["summary"]["fail"] == 2
    managers = json.loads(plane.kubectl("get", _OPEN[0], "-A", "-o", "json", "--show-managed-fields", check=True).stdout)["items"]
    assert {entry["manager"] for item in managers for entry in item["metadata"]["managedFields"]} == {"weighbridge-audit"}

    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 2 unchanged, 0 removed")
    assert reports(plane) == first, "a second run changes nothing"

    plane.kubectl("delete", "model", "two", "-n", "lab", check=True)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 1 unchanged, 1 removed")
    assert set(reports(plane)) == {"one"}

    good = {"source": "https://example.com/a.gguf", "hardware": None}
    plane.kubectl("replace", "-f", "-", input=model("one", **good), check=True)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 0 unchanged, 1 removed")


def test_a_result_that_stays_keeps_its_time(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    plane.kubectl("create", "-f", "-", input=model("one"), check=True)
    audit(plane)
    path = "/apis/openreports.io/v1alpha1/namespaces/lab/reports/" + reports(plane)["one"]["metadata"]["name"]
    before = reports(plane)["one"]
    before["results"][0]["timestamp"]["seconds"] = 1_000_000_000
    # As an earlier run would have left it.
    kept = ("name", "namespace", "labels", "ownerReferences")
    before["metadata"] = {key: before["metadata"][key] for key in kept}
    plane.kubectl("apply", "--server-side", "--field-manager=weighbridge-audit", "-f", "-", input=json.dumps(before), check=True)
    hardware = {"accelerator": "rocm", "gpu": {"enabled": True, "count": 8, "vendor": "nvidia"}}
    plane.kubectl("replace", "-f", "-", input=model("one", hardware=hardware, source="pvc://x"), check=True)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 1 written, 0 unchanged, 0 removed")
    after = json.loads(plane.kubectl("get", "--raw", path, check=True).stdout)
    times = {result["policy"]: result["timestamp"]["seconds"] for result in after["results"]}
    assert times.pop("LLMKUBE-001") == 1_000_000_000
    assert times
    assert all(seconds > 1_000_000_000 for seconds in times.values())


def test_policy_reports_are_written_where_only_they_are_installed(plane: ControlPlane) -> None:
    install(plane, *_POLICY)
    plane.kubectl("create", "-f", "-", input=model("one"), check=True)
    assert audit(plane) == (0, "reports in wgpolicyk8s.io/v1alpha2: 1 written, 0 unchanged, 0 removed")
    assert audit(plane) == (0, "reports in wgpolicyk8s.io/v1alpha2: 0 written, 1 unchanged, 0 removed")
    assert reports(plane, _POLICY[0])["one"]["results"][0]["source"] == "Weighbridge"
    install(plane, *_OPEN)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 1 written, 0 unchanged, 1 removed")
    assert reports(plane, _POLICY[0]) == {}


def test_an_object_without_a_namespace_has_a_cluster_wide_report(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    spec = {"familyName": "opt", "source": {"uri": "s3://bucket"}}
    wide = {"apiVersion": "llmaz.io/v1alpha1", "kind": "OpenModel", "metadata": {"name": "opt"}, "spec": spec}
    plane.kubectl("create", "-f", "-", input=json.dumps(wide), check=True)
    try:
        assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 1 written, 0 unchanged, 0 removed")
        report = reports(plane, _OPEN[1])["opt"]
        assert report["kind"] == "ClusterReport"
        assert report["metadata"]["ownerReferences"][0]["kind"] == "OpenModel"
        assert "LLMAZ-004" in {result["policy"] for result in report["results"]}
        assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 1 unchanged, 0 removed")
    finally:
        plane.kubectl("delete", "openmodels.llmaz.io", "--all", check=True)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 0 unchanged, 1 removed")


def test_reports_of_others_stay(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    other = {"apiVersion": "openreports.io/v1alpha1", "kind": "Report", "scope": {"kind": "Pod", "name": "p"}}
    kyverno = {**other, "metadata": {"name": "k", "namespace": "lab", "labels": {"app.kubernetes.io/managed-by": "kyverno"}}}
    plane.kubectl("create", "-f", "-", input=json.dumps(kyverno), check=True)
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 0 unchanged, 0 removed")
    assert set(reports(plane)) == {"p"}


def test_two_at_once_write_the_same(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    for number in range(12):
        plane.kubectl("create", "-f", "-", input=model(f"m{number}"), check=True)
    command = [WEIGHBRIDGE, *arguments(plane)]

    def start(_: int) -> tuple[int, str]:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return done.returncode, done.stderr

    with ThreadPoolExecutor(3) as pool:
        codes = list(pool.map(start, range(3)))
    assert [code for code, _ in codes] == [0, 0, 0], codes
    assert len(reports(plane)) == 12
    assert audit(plane) == (0, "reports in openreports.io/v1alpha1: 0 written, 12 unchanged, 0 removed")


def test_a_cluster_without_reports_is_one_error(plane: ControlPlane) -> None:
    code, said = audit(plane)
    assert code == 2
    assert said == (
        "Error: the cluster has no kind of reports: it needs reports.openreports.io (v1alpha1) or policyreports.wgpolicyk8s.io (v1alpha2),"
        " each with its cluster-wide kind; install the CRDs of https://github.com/openreports/reports-api"
    )


def test_missing_rights_are_one_error(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    code, said = audit(plane, reader=True)
    assert code == 2
    assert said.startswith(
        'Error: the reports can\'t be kept: 403 Forbidden: reports.openreports.io is forbidden: User "reader" cannot list'
    )
    assert said.endswith("; a ClusterRole that may is weighbridge-reports, in deploy/reports.yaml")
    assert said.count("\n") == 0


def test_a_report_that_was_changed_is_one_error_with_the_way_out(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    plane.kubectl("create", "-f", "-", input=model("one"), check=True)
    audit(plane)
    name = reports(plane)["one"]["metadata"]["name"]
    plane.kubectl("patch", _OPEN[0], "-n", "lab", name, "--type=merge", "-p", '{"summary": {"fail": 7}}', check=True)
    code, said = audit(plane)
    assert code == 2
    assert said.startswith(f'Error: Report lab/{name} was changed by something else: 1 conflict: conflict with "kubectl-patch"')
    command = said.rpartition(": ")[2]
    assert command == f"kubectl delete reports.openreports.io -n lab {name}"
    plane.kubectl(*command.split()[1:], check=True)
    assert audit(plane)[0] == 0


def test_what_may_not_be_read_keeps_its_reports(plane: ControlPlane) -> None:
    install(plane, *_OPEN)
    plane.kubectl("create", "-f", "-", input=model("one"), check=True)
    audit(plane)
    binding = "weighbridge-reports-reading"
    plane.kubectl("delete", "clusterrolebinding", binding, check=True)
    try:
        code, said = audit(plane)
    finally:
        account = f"--serviceaccount={_NAMESPACE}:weighbridge-reports"
        plane.kubectl("create", "clusterrolebinding", binding, "--clusterrole=weighbridge", account, check=True)
    assert code == 2
    assert "Error: not judged, since it can't be read: " in said
    assert set(reports(plane)) == {"one"}
