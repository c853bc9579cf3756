"""The manifests on a real API server: they are accepted as they are, and give the program the permissions that it needs, and no others."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.conftest import crd_files
from tests.installation.pods import APISERVER_FLAGS, NAMESPACE, Pod, ca_bundles, get, own_address
from tests.installation.prometheus import fires
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.installation.alerts import ALERTS

pytestmark = [pytest.mark.control_plane, pytest.mark.skipif(not own_address(), reason="endpoints need an address that isn't loopback")]

_DEPLOY = ROOT / "deploy"
_PATIENCE_SECONDS = 60.0
ALERT = {alert.name: alert for alert in ALERTS}
#: A source that is refused, since it names a claim without a path in it.
_INCOMPLETE = "pvc://weights"


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def model(source: str) -> str:
    """A Model."""
    metadata = {"name": "m", "namespace": "default"}
    return json.dumps({"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": metadata, "spec": {"source": source}})


def shared_certificates(plane: ControlPlane) -> JSONObject:
    """The data of the Secret that all replicas share; empty if there is no Secret."""
    said = plane.kubectl("get", "secret", "weighbridge-tls", "-n", NAMESPACE, "--ignore-not-found", "-o", "json", check=True).stdout
    data: JSONObject = json.loads(said)["data"] if said else {}
    return data


@pytest.fixture(scope="module")
def plane(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with one family's CRDs and everything of deploy/install.yaml."""
    crds = crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev")
    with plane_with_crds(control_plane_assets, *crds, apiserver_flags=APISERVER_FLAGS) as plane:
        plane.kubectl("apply", "-f", str(_DEPLOY / "install.yaml"), check=True)
        yield plane


@pytest.fixture(scope="module")
def pod(plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pod]:
    """A pod that is ready and has registered itself."""
    with Pod(plane, tmp_path_factory.mktemp("pod")) as pod:
        until(lambda: "" not in ca_bundles(plane), f"nothing is registered: {pod.log.read_text()[-2000:]}")
        yield pod


@pytest.fixture
def audit(plane: ControlPlane, pod: Pod) -> Iterator[None]:
    """Switch to mode audit, and again after the test."""
    yield
    plane.kubectl("apply", "-f", str(_DEPLOY / "install.yaml"), check=True)
    pod.refresh_configuration()
    until(lambda: create(plane, _INCOMPLETE)[0] == 0, "it still refuses")


def create(plane: ControlPlane, source: str) -> tuple[int, str]:
    """The exit code and the output of a `kubectl create` as a dry run."""
    done = plane.kubectl("create", "--dry-run=server", "-f", "-", input=model(source))
    return done.returncode, done.stderr


def test_the_server_takes_all_of_it_in_a_dry_run(plane: ControlPlane) -> None:
    for path in ("install.yaml", "deny.yaml"):
        done = plane.kubectl("apply", "--dry-run=server", "--validate=strict", "-f", str(_DEPLOY / path))
        assert (done.returncode, done.stderr) == (0, "")


def test_kustomize_builds_the_same(plane: ControlPlane) -> None:
    built = plane.kubectl("kustomize", str(_DEPLOY / "kustomize" / "deny"), check=True).stdout
    dry = plane.kubectl("apply", "--dry-run=server", "-f", "-", "-o", "json", input=built, check=True)
    items: list[JSONObject] = json.loads(dry.stdout)["items"]
    webhooks = [w for obj in items if obj["kind"].startswith("Validating") for w in obj["webhooks"]]
    assert {w["failurePolicy"] for w in webhooks if w["name"].startswith("validate.")} == {"Fail"}
    assert {w["failurePolicy"] for w in webhooks if w["name"].startswith("delete.")} == {"Ignore"}
    assert len(items) == (_DEPLOY / "install.yaml").read_text().count("\nkind: ")


def test_it_registers_its_authority_and_nothing_else(plane: ControlPlane, pod: Pod) -> None:
    (bundle,) = ca_bundles(plane)
    assert bundle == shared_certificates(plane)["ca.crt"]
    for kind in ("mutatingwebhookconfiguration", "validatingwebhookconfiguration"):
        fields = get(plane, kind, "weighbridge", "--show-managed-fields")["metadata"]["managedFields"]
        (own,) = [entry["fieldsV1"] for entry in fields if entry["manager"] == "weighbridge"]
        told = json.dumps(own)
        assert "f:caBundle" in told
        assert not {"f:rules", "f:failurePolicy", "f:service", "f:namespaceSelector"} & set(told.split('"'))


def test_its_rights_are_enough(pod: Pod) -> None:
    assert pod.page("/readyz") == "ok\n"
    known = [line for line in pod.page("/metrics").splitlines() if line.startswith("weighbridge_facts_known{")]
    assert known
    assert {line.rpartition(" ")[2] for line in known} == {"1.0"}


@pytest.mark.parametrize(
    ("verb", "thing"),
    [
        ("get", "secrets/other"),
        ("list", "secrets"),
        ("delete", "secrets/weighbridge-tls"),
        ("create", "pods"),
        ("patch", "validatingwebhookconfigurations/another"),
        # The arguments have the name under which it is called, so it needn't look it up.
        ("list", "validatingwebhookconfigurations/weighbridge"),
        ("delete", "validatingwebhookconfigurations/weighbridge"),
        ("update", "nodes"),
    ],
)
def test_it_has_no_other_right(plane: ControlPlane, verb: str, thing: str) -> None:
    user = f"system:serviceaccount:{NAMESPACE}:weighbridge"
    done = plane.kubectl("auth", "can-i", verb, thing, "-n", NAMESPACE, "--as", user)
    assert done.stdout.strip() == "no"


def test_in_audit_what_deny_would_refuse_is_let_in_with_a_warning_and_counted(plane: ControlPlane, pod: Pod) -> None:
    code, words = create(plane, _INCOMPLETE)
    assert code == 0
    assert "Warning: Weighbridge is in mode audit; in mode deny it would refuse this: " in words
    counted = 'weighbridge_decisions_total{decision="would-deny",kind="Model",operation="CREATE",phase="validate"}'
    # The page may be a second old.
    until(lambda: counted in pod.page("/metrics"), "it isn't counted")


@pytest.mark.usefixtures("audit")
def test_one_file_turns_it_to_deny(plane: ControlPlane, pod: Pod) -> None:
    plane.kubectl("apply", "-f", str(_DEPLOY / "deny.yaml"), check=True)
    pod.refresh_configuration()
    until(lambda: create(plane, _INCOMPLETE)[0] != 0, "it doesn't refuse")
    assert 'admission webhook "validate.llmkube.weighbridge.dev" denied the request' in create(plane, _INCOMPLETE)[1]
    assert "" not in ca_bundles(plane), "kubectl apply leaves the caBundle alone"


def test_a_replica_that_comes_later_takes_the_authority_that_is_there(plane: ControlPlane, pod: Pod, tmp_path: Path) -> None:
    before = shared_certificates(plane)
    with Pod(plane, tmp_path, "b") as other:
        assert other.ca_bundle == pod.ca_bundle
    assert shared_certificates(plane) == before


def test_with_one_verb_less_it_says_what_it_lacks_and_alerts(plane: ControlPlane, pod: Pod, promql: Path, tmp_path: Path) -> None:
    role = get(plane, "clusterrole", "weighbridge")
    rules = [{**rule, "verbs": ["list"]} if "nodes" in rule["resources"] else rule for rule in role["rules"]]
    plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=json.dumps(without_bookkeeping(role, rules)), check=True)
    try:
        with Pod(plane, tmp_path, "c") as lacking:
            until(lambda: any("forbidden" in json.dumps(line) for line in lacking.lines()), "the log doesn't tell")
            assert 'weighbridge_facts_known{resource="nodes"} 0.0' in lacking.page("/metrics")
            assert fires(promql, ALERT["WeighbridgeFactsUnknown"], [pod.page("/metrics")], [lacking.page("/metrics")], time.time())
    finally:
        plane.kubectl("apply", "-f", str(_DEPLOY / "install.yaml"), check=True)


@pytest.mark.parametrize(
    ("role", "verb", "what"),
    [
        ("clusterrole/weighbridge-ca-bundle", "get", "the caBundle can't be published"),
        ("clusterrole/weighbridge-ca-bundle", "patch", "the caBundle can't be published"),
        ("role/weighbridge-certificates", "get", "the Secret can't be kept up to date"),
        ("role/weighbridge-certificates", "update", "the Secret can't be kept up to date"),
        ("role/weighbridge-certificates", "create", "the Secret can't be kept up to date"),
    ],
)
def test_each_verb_by_which_it_writes_is_needed(plane: ControlPlane, pod: Pod, role: str, verb: str, what: str) -> None:
    """Also for a running pod: it reports the missing permission, and goes on serving."""
    found = get(plane, role, "-n", NAMESPACE)
    found["rules"] = [{**rule, "verbs": [each for each in rule["verbs"] if each != verb] or ["none"]} for rule in found["rules"]]
    told, certificates = len(pod.lines()), shared_certificates(plane)
    plane.kubectl("replace", "-f", "-", input=json.dumps(found), check=True)
    try:
        _disturb(plane, verb)
        until(lambda: any(line.get("message") == what for line in pod.lines()[told:]), pod.log.read_text()[-1000:])
    finally:
        plane.kubectl("apply", "-f", str(_DEPLOY / "install.yaml"), check=True)
    until(lambda: shared_certificates(plane) == certificates, "the Secret isn't put back")
    until(lambda: "" not in ca_bundles(plane), "the caBundle isn't put back")
    assert create(plane, "https://example.com/m.gguf")[0] == 0


def _disturb(plane: ControlPlane, verb: str) -> None:
    """Make the permission necessary: remove, or break, the object that it maintains."""
    match verb:
        case "patch":
            empty = json.dumps([{"op": "remove", "path": "/webhooks/0/clientConfig/caBundle"}])
            plane.kubectl("patch", "validatingwebhookconfiguration", "weighbridge", "--type=json", "-p", empty, check=True)
        case "update":
            broken = json.dumps({"data": {"tls.crt": "YnJva2Vu"}})
            plane.kubectl("patch", "secret", "weighbridge-tls", "-n", NAMESPACE, "--type=merge", "-p", broken, check=True)
        case "create":
            plane.kubectl("delete", "secret", "weighbridge-tls", "-n", NAMESPACE, check=True)


def without_bookkeeping(role: JSONObject, rules: list[JSONObject]) -> JSONObject:
    """The role with other rules, as it would be applied."""
    return {"apiVersion": role["apiVersion"], "kind": role["kind"], "metadata": {"name": role["metadata"]["name"]}, "rules": rules}


def test_a_secret_that_was_deleted_is_put_back_with_the_same_authority(plane: ControlPlane, pod: Pod) -> None:
    before = shared_certificates(plane)
    plane.kubectl("delete", "secret", "weighbridge-tls", "-n", NAMESPACE, check=True)
    until(lambda: bool(shared_certificates(plane)), "it isn't there")
    assert shared_certificates(plane) == before
    assert create(plane, "https://example.com/m.gguf")[0] == 0


def test_a_section_of_a_namespace_that_is_not_used_alerts(plane: ControlPlane, pod: Pod, promql: Path) -> None:
    before = [pod.page("/metrics")]
    loose = {"weighbridge.yaml": "mode: audit\n"}
    metadata = {"name": "weighbridge", "namespace": "default", "labels": {"weighbridge.dev/configuration": "true"}}
    section = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": loose})
    plane.kubectl("apply", "-f", "-", input=section, check=True)
    try:
        until(lambda: 'weighbridge_namespace_configurations{result="refused"} 1.0' in pod.page("/metrics"), pod.log.read_text()[-2000:])
        assert fires(promql, ALERT["WeighbridgeNamespaceConfigurationRefused"], before, [pod.page("/metrics")], time.time())
    finally:
        plane.kubectl("delete", "configmap", "weighbridge", check=True)


def test_an_emptied_ca_bundle_is_put_back(plane: ControlPlane, pod: Pod) -> None:
    bundles = ca_bundles(plane)
    empty = json.dumps([{"op": "remove", "path": "/webhooks/0/clientConfig/caBundle"}])
    plane.kubectl("patch", "validatingwebhookconfiguration", "weighbridge", "--type=json", "-p", empty, check=True)
    assert "" in ca_bundles(plane)
    until(lambda: ca_bundles(plane) == bundles, "it isn't put back")


def test_webhook_configurations_that_are_gone_alert(plane: ControlPlane, pod: Pod, promql: Path) -> None:
    before = [pod.page("/metrics")]
    plane.kubectl("delete", "mutatingwebhookconfiguration", "weighbridge", check=True)
    try:
        until(lambda: "weighbridge_webhook_configuration_present" in pod.page("/metrics") and _absent(pod), "the page doesn't show it")
        assert fires(promql, ALERT["WeighbridgeNotRegistered"], before, [pod.page("/metrics")], time.time())
    finally:
        plane.kubectl("apply", "-f", str(_DEPLOY / "install.yaml"), check=True)
    until(lambda: "" not in ca_bundles(plane), "it isn't registered again")


def _absent(pod: Pod) -> bool:
    return 'weighbridge_webhook_configuration_present{configuration="mutatingwebhookconfigurations"} 0.0' in pod.page("/metrics")
