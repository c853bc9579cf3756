"""The chart renders the same as the plain manifests, for each version of Kubernetes, and checks its values."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.yaml_documents import read, read_all
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.webhook.installation.files import files
from weighbridge.webhook.installation.manifests import manifests
from weighbridge.webhook.installation.settings import default_values

_CHART = ROOT / "deploy" / "chart"
_PEER = {"namespaceSelector": {"matchLabels": {"team": "platform"}}}
_WEBHOOK, _HEALTH = 9443, 9080


def run_helm(helm: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs helm with only the configuration and the cache in `home`."""
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return subprocess.run([str(helm), *arguments], capture_output=True, text=True, env=environ, timeout=60, check=False)


def rendered(helm: Path, home: Path, *options: str) -> list[JSONObject]:
    """The objects that the chart renders with these options."""
    done = run_helm(helm, home, "template", "weighbridge", str(_CHART), "--namespace", "weighbridge-system", *options)
    assert done.returncode == 0, done.stderr
    return [document for document in read_all(done.stdout) if document]


def by_key(objects: list[JSONObject]) -> dict[tuple[str, str], JSONObject]:
    """The objects by kind and name, without differences of YAML's notation."""
    return {(obj["kind"], name_of(obj)): obj for obj in map(_parsed, objects) if obj["kind"] != "Namespace"}


def _parsed(obj: JSONObject) -> JSONObject:
    """The object with the text of its configuration parsed."""
    if obj["kind"] == "ConfigMap":
        return {**obj, "data": {key: read(text) for key, text in obj["data"].items()}}
    return obj


def test_the_files_below_deploy_are_those_that_the_code_writes() -> None:
    folder = ROOT / "deploy"
    assert {name: (folder / name).read_text() for name in files()} == files()


def test_lint_has_nothing_to_say_against_it(helm: Path, tmp_path: Path) -> None:
    done = run_helm(helm, tmp_path, "lint", "--strict", str(_CHART))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", ["1.33.0", "1.34.4", "1.35.4", "1.36.3"])
def test_it_renders_the_plain_manifests(helm: Path, tmp_path: Path, version: str) -> None:
    found = rendered(helm, tmp_path, "--kube-version", version)
    assert by_key(found) == by_key(manifests(default_values()))


@pytest.mark.parametrize(
    "values",
    [
        {"mode": "deny"},
        {"failurePolicy": "Fail"},
        {"certificates": "cert-manager"},
        {"excludedNamespaces": ["kube-system", "argocd"]},
        {"namespaceConfiguration": False, "networkPolicy": False, "priorityClassName": ""},
        {"networkPolicyFrom": {"webhook": [{"ipBlock": {"cidr": "10.0.0.1/32"}}], "health": [], "monitoring": []}},
        {"networkPolicyFrom": {"webhook": [], "health": [_PEER], "monitoring": [_PEER]}, "monitoring": {"enabled": True, "labels": {}}},
        {"networkPolicyFrom": {"webhook": [], "health": [], "monitoring": [_PEER]}, "monitoring": {"enabled": True, "labels": {}}},
        {"configuration": {"onError": "warn", "rules": {"LLMKUBE-008": "warn"}}},
        {"clientCA": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"},
        {"monitoring": {"enabled": True, "labels": {"release": "prometheus"}}},
        {"reports": {"enabled": True, "schedule": "*/5 * * * *"}},
        {"reports": {"enabled": True, "schedule": "@hourly"}, "namespaceConfiguration": False, "networkPolicy": False},
        {"tracingEndpoint": "http://collector.tracing:4318"},
        {"tracingEndpoint": "https://traces1.example.com/otlp"},
        {"tracingEndpoint": "http://[fd00::1]:80/otlp"},
        {"tracingEndpoint": "http://[fd00::1]"},
        {"image": {**default_values()["image"], "tag": f"@sha256:{'0' * 64}"}},
        {"image": {**default_values()["image"], "tag": f"0.1.0@sha256:{'0' * 64}"}},
        {"labels": {"team": "platform", "app.kubernetes.io/name": "other"}, "podAnnotations": {"a.example.com/b": "true"}},
        {"labels": {"team": "platform"}, "monitoring": {"enabled": True, "labels": {"team": "observability"}}},
        {"affinity": {"nodeAffinity": {}}, "priorityClassName": "high"},
        {"replicas": 3, "tolerations": [{"key": "a", "operator": "Exists"}], "nodeSelector": {"pool": "system"}},
    ],
    ids=",".join,
)
def test_values_do_the_same_in_both(helm: Path, tmp_path: Path, values: dict[str, Any]) -> None:
    path = tmp_path / "values.yaml"
    path.write_text(yaml.safe_dump(values))
    assert by_key(rendered(helm, tmp_path, "--values", str(path))) == by_key(manifests({**default_values(), **values}))


@pytest.mark.parametrize(
    "given",
    [
        "mode=denny",
        "replicas=0",
        "replica=2",
        "image.tags=1",
        "image.tag=@latest",
        "tracingEndpoint=collector:4318",
        "excludedNamespaces={Team_A}",
        "reports.enabled=sometimes",
        "clientCA=ca.crt",
        "configuration.rules.LLMKUBE-009=wran",
        "configuration.onErorr=warn",
        # The chart itself writes it, from another value.
        "configuration.mode=deny",
    ],
)
def test_a_value_that_cannot_be_meant_is_refused(helm: Path, tmp_path: Path, given: str) -> None:
    done = run_helm(helm, tmp_path, "template", "weighbridge", str(_CHART), "--set", given)
    assert done.returncode != 0
    assert given.partition("=")[0].rpartition(".")[2] in done.stderr


@pytest.mark.parametrize("namespace", ["123", "true", "1e3", "null", "n" * 63])
def test_a_namespace_may_have_any_name(helm: Path, tmp_path: Path, namespace: str) -> None:
    done = run_helm(helm, tmp_path, "template", "weighbridge", str(_CHART), "--namespace", namespace)
    objects = [document for document in read_all(done.stdout) if document]
    assert {obj["metadata"].get("namespace", namespace) for obj in objects} == {namespace}
    assert {subject["namespace"] for obj in objects for subject in obj.get("subjects", ())} == {namespace}


def test_reports_are_off_and_have_an_account_of_their_own() -> None:
    plain, values = manifests(default_values()), default_values()
    values["reports"]["enabled"] = True
    added = [obj for obj in manifests(values) if obj not in plain]
    assert not [obj for obj in plain if "reports" in name_of(obj)]
    assert {subject["name"] for obj in added for subject in obj.get("subjects", ())} == {"weighbridge-reports"}
    (job,) = (obj["spec"]["jobTemplate"]["spec"]["template"] for obj in added if obj["kind"] == "CronJob")
    (service,) = (obj for obj in plain if obj["kind"] == "Service")
    assert job["spec"]["serviceAccountName"] == "weighbridge-reports"
    assert job["metadata"]["labels"]["app.kubernetes.io/name"] != service["spec"]["selector"]["app.kubernetes.io/name"]


def test_the_webhooks_come_before_all_that_they_need() -> None:
    """`kubectl delete -f` deletes in this order, and the server must not be deleted before the webhooks that call it."""
    kinds = [obj["kind"] for obj in manifests(default_values())]
    assert kinds[:3] == ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "Namespace"]


def test_a_class_of_the_systems_own_comes_with_the_leave_to_use_it() -> None:
    assert "ResourceQuota" in {obj["kind"] for obj in manifests(default_values())}
    assert "ResourceQuota" not in {obj["kind"] for obj in manifests({**default_values(), "priorityClassName": "high"})}


def _reached_from(values: dict[str, Any]) -> dict[int, list[JSONObject] | None]:
    """The peers that each port accepts; `None` for all."""
    (policy,) = (obj for obj in manifests({**default_values(), **values}) if obj["kind"] == "NetworkPolicy")
    return {port["port"]: rule.get("from") for rule in policy["spec"]["ingress"] for port in rule["ports"]}


def test_the_health_port_is_reached_from_nowhere_that_has_no_need_of_it() -> None:
    """kubelet's probes come from the pod's own node, which a NetworkPolicy never blocks; tenants' pods don't need the port."""
    tunnel = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "kube-system"}}}
    prometheus = {"namespaceSelector": {}, "podSelector": {"matchLabels": {"app.kubernetes.io/name": "prometheus"}}}
    assert _reached_from({}) == {_WEBHOOK: None, _HEALTH: [tunnel]}
    assert _reached_from({"monitoring": {"enabled": True, "labels": {}}}) == {_WEBHOOK: None, _HEALTH: [tunnel, prometheus]}


def test_who_reaches_either_port_can_be_said() -> None:
    peers = {"webhook": [_PEER], "health": [], "monitoring": [_PEER]}
    assert _reached_from({"networkPolicyFrom": peers}) == {_WEBHOOK: [_PEER]}


def test_a_server_that_is_too_old_is_refused(helm: Path, tmp_path: Path) -> None:
    done = run_helm(helm, tmp_path, "template", "weighbridge", str(_CHART), "--kube-version", "1.32.0")
    assert done.returncode != 0
    assert "1.33.0" in done.stderr
