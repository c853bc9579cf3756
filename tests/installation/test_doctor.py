"""`weighbridge doctor` on a healthy installation, and on each fault that it must name."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.e2e.conftest import crd_files
from tests.installation.pods import APISERVER_FLAGS, NAMESPACE, Pod, ca_bundles, get, own_address
from tests.installation.test_install import until
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds
from weighbridge.certs.authority import create_authority
from weighbridge.policies.ground.objects import JSONObject

pytestmark = [pytest.mark.control_plane, pytest.mark.skipif(not own_address(), reason="endpoints need an address that isn't loopback")]

_INSTALL = ROOT / "deploy" / "install.yaml"


@pytest.fixture(scope="module")
def plane(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with one family's CRDs and everything of deploy/install.yaml."""
    crds = crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev")
    with plane_with_crds(control_plane_assets, *crds, apiserver_flags=APISERVER_FLAGS) as plane:
        plane.kubectl("apply", "-f", str(_INSTALL), check=True)
        yield plane


@pytest.fixture(scope="module")
def pod(plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pod]:
    """One pod for all tests; no controller sets it ready."""
    with Pod(plane, tmp_path_factory.mktemp("pod")) as serving:
        yield serving


@pytest.fixture
def installed(plane: ControlPlane, pod: Pod) -> ControlPlane:
    """The complete installation, whatever the test before has broken."""
    _install(plane)
    plane.kubectl("scale", "deployment/weighbridge", "-n", NAMESPACE, "--replicas", "2", check=True)
    _report_ready(plane, 2)
    pod.refresh_configuration()
    pod.publish()
    until(lambda: "" not in ca_bundles(plane), f"nothing is registered: {pod.log.read_text()[-2000:]}")
    return plane


def _install(plane: ControlPlane) -> None:
    """Install again, whatever another test has changed: `kubectl apply` doesn't touch fields that it never wrote."""
    configurations = "validatingwebhookconfiguration,mutatingwebhookconfiguration"
    plane.kubectl("delete", configurations, "weighbridge", "--ignore-not-found", check=True)
    # With these options kubectl doesn't read the server's OpenAPI document, which takes a second.
    plane.kubectl("apply", "--validate=ignore", "--openapi-patch=false", "-f", str(_INSTALL), check=True)


def _report_ready(plane: ControlPlane, count: int) -> None:
    status = json.dumps({"status": {"replicas": count, "readyReplicas": count, "conditions": None}})
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


def _patch_webhooks(plane: ControlPlane, kind: str, *operations: tuple[str, object]) -> None:
    patch = json.dumps([{"op": "add", "path": f"/webhooks/{path}", "value": value} for path, value in operations])
    plane.kubectl("patch", kind, "weighbridge", "--type=json", "-p", patch, check=True)


def _close_one(plane: ControlPlane) -> None:
    _patch_webhooks(plane, "validatingwebhookconfiguration", ("0/failurePolicy", "Fail"))


def _close_the_mutating(plane: ControlPlane) -> None:
    _patch_webhooks(plane, "mutatingwebhookconfiguration", ("0/failurePolicy", "Fail"))


def _spare_everything(plane: ControlPlane) -> None:
    never = [{"name": "never", "expression": "false"}]
    _patch_webhooks(
        plane, "validatingwebhookconfiguration", ("3/matchConditions", never), ("3/objectSelector", {"matchLabels": {"a": "b"}})
    )


def _take_the_writing_away(plane: ControlPlane) -> None:
    plane.kubectl("delete", "clusterrolebinding", "weighbridge-ca-bundle", check=True)


def _take_the_secret_away(plane: ControlPlane) -> None:
    plane.kubectl("delete", "rolebinding", "weighbridge-certificates", "-n", NAMESPACE, check=True)


def _trust_another_authority(plane: ControlPlane) -> None:
    """If Weighbridge lacks the permission to write the caBundle back, in mode audit every object is accepted unjudged, and only `doctor`
    shows it.
    """
    _take_the_writing_away(plane)
    foreign = b64encode(create_authority(datetime.now(UTC)).certificate_pem()).decode()
    kind = "mutatingwebhookconfiguration"
    count = len(json.loads(plane.kubectl("get", kind, "weighbridge", "-o", "json", check=True).stdout)["webhooks"])
    _patch_webhooks(plane, kind, *((f"{number}/clientConfig/caBundle", foreign) for number in range(count)))


def _hold_new_pods_back(plane: ControlPlane) -> None:
    condition = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "exceeded quota: pods"}
    status = json.dumps({"status": {"replicas": 2, "readyReplicas": 2, "conditions": [condition]}})
    options = ("-n", NAMESPACE, "--subresource=status", "--type=merge", "-p", status)
    plane.kubectl("patch", "deployment", "weighbridge", *options, check=True)


def _remove_configuration_in_deny(plane: ControlPlane) -> None:
    plane.kubectl("apply", "-f", str(ROOT / "deploy" / "deny.yaml"), check=True)
    _remove_configuration(plane)


@pytest.mark.parametrize(
    ("break_it", "check", "found", "remedy"),
    [
        (_remove_configuration, "ValidatingWebhookConfiguration", "the cluster has none of the name weighbridge", "kubectl apply -f"),
        (_take_a_webhook_away, "MutatingWebhookConfiguration", "it lacks mutate.", "kubectl apply -f"),
        (_take_rights_away, f"rights of ServiceAccount {NAMESPACE}/weighbridge", "it may not list ", "kubectl apply -f"),
        (_scale_to_none, f"Deployment {NAMESPACE}/weighbridge", "it is scaled to zero", "--replicas 2"),
        (_lose_a_replica, f"Deployment {NAMESPACE}/weighbridge", "1 of 2 replicas are ready", "describe pods"),
        (_take_endpoints_away, f"Service {NAMESPACE}/weighbridge", "it has no ready endpoint", "get endpointslices,pods"),
        (_remove_service, f"Service {NAMESPACE}/weighbridge", "it isn't there", "kubectl apply -f"),
        (_close_one, "ValidatingWebhookConfiguration", "failurePolicy is Fail for validate.", "kubectl apply -f"),
        (_close_the_mutating, "MutatingWebhookConfiguration", "must have failurePolicy Ignore", "kubectl apply -f"),
        (
            _spare_everything,
            "ValidatingWebhookConfiguration",
            "validate.llmkube.weighbridge.dev (matchConditions, objectSelector)",
            "kubectl delete validatingwebhookconfiguration weighbridge; kubectl apply -f",
        ),
        (_take_the_writing_away, f"rights of ServiceAccount {NAMESPACE}/weighbridge", "patch mutatingwebhook", "kubectl apply -f"),
        (_take_the_secret_away, f"rights of ServiceAccount {NAMESPACE}/weighbridge", "get secrets weighbridge-tls", "kubectl apply -f"),
        (_trust_another_authority, "a call from the API server", "couldn't call mutate.llmkube.weighbridge.dev", "logs deployment"),
        (_hold_new_pods_back, f"Deployment {NAMESPACE}/weighbridge", "gets no further: exceeded quota", "describe pods"),
        (_remove_configuration_in_deny, "ValidatingWebhookConfiguration", "the cluster has none", "install.yaml -f deploy/deny.yaml"),
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


def test_what_a_pod_says_of_itself_is_told(installed: ControlPlane, pod: Pod) -> None:
    (pod.directory / "configuration.yaml").write_text("mode: dny\n")
    what = "what the pods say"
    until(lambda: examined(installed)[1].get(what, {}).get("health") == "problem", pod.log.read_text()[-2000:])
    told = examined(installed)[1][what]
    assert told["found"] == "weighbridge-a: the newest configuration can't be used, the one before is in force"
    assert told["run"] == f"kubectl -n {NAMESPACE} logs deployment/weighbridge"


def test_a_namespace_that_is_excluded_is_not_tried(installed: ControlPlane) -> None:
    kind = "validatingwebhookconfiguration"
    found = json.loads(installed.kubectl("get", kind, "weighbridge", "-o", "json", check=True).stdout)
    excluded = [(f"{number}/namespaceSelector/matchExpressions/0/values/-", "default") for number in range(len(found["webhooks"]))]
    _patch_webhooks(installed, kind, *excluded)
    assert "a call from the API server" not in examined(installed)[1]


def test_a_rule_that_is_turned_off_is_not_tried(installed: ControlPlane, pod: Pod) -> None:
    text = get(installed, "configmap", "weighbridge", "-n", NAMESPACE)["data"]["configuration.yaml"]
    patch = json.dumps({"data": {"configuration.yaml": text + "rules: {LLMKUBE-001: 'off'}\n"}})
    installed.kubectl("patch", "configmap", "weighbridge", "-n", NAMESPACE, "--type=merge", "-p", patch, check=True)
    pod.refresh_configuration()
    until(lambda: "a call from the API server" not in examined(installed)[1], str(examined(installed)))


def test_a_webhook_that_can_not_be_called_is_a_problem(installed: ControlPlane) -> None:
    for kind in ("mutatingwebhookconfiguration", "validatingwebhookconfiguration"):
        count = len(get(installed, kind, "weighbridge")["webhooks"])
        _patch_webhooks(installed, kind, *((f"{number}/clientConfig/service/port", 444) for number in range(count)))
    what = "a call from the API server"
    until(lambda: examined(installed)[1].get(what, {}).get("health") == "problem", str(examined(installed)))
    assert examined(installed)[0] == 1


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
