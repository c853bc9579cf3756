"""The webhook enforces the CRDs' rules if the installed CRD lacks them: because of a tool, a build, or a missing upgrade."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.command_line import run
from tests.e2e.cluster import Cluster
from tests.e2e.reviews import eventually, ready
from weighbridge.policies.apiserver.comparison import RULES
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.webhook.inputs.bundled import bundled_crds

# A server needs some time for a changed CRD.
pytestmark = [pytest.mark.control_plane, pytest.mark.timeout(300), pytest.mark.usefixtures("kubernetes_of_the_plane")]

_BOTH = "resourceClaims and resourceName are mutually exclusive: use one or the other for GPU scheduling"
_DENIED = 'admission webhook "validate.llmkube.weighbridge.dev" denied the request: Model.inference.llmkube.dev "'


def _invalid() -> str:
    """The refusal in the words of the release in force."""
    return f"Invalid value: {_BOTH}" if release().shows_values_of_rules else f'Invalid value: "object": {_BOTH}'


#: Fields that the Model got after LLMKube v0.8.17, which distinguish its CRDs.
_CAME_LATER = ("sourceSecretRef", "prefetch", "prefetchTolerations", "files")
_OPERATOR: JSONObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "llmkube-controller", "namespace": "llmkube-system"},
    "spec": {
        "replicas": 0,
        "selector": {"matchLabels": {"app": "llmkube"}},
        "template": {
            "metadata": {"labels": {"app": "llmkube"}},
            "spec": {"containers": [{"name": "manager", "image": "ghcr.io/defilantech/llmkube-controller:v0.9.19"}]},
        },
    },
}


def crd() -> Any:
    """The newest CRD of the Model."""
    return next(found for found in bundled_crds(DEFAULT) if found["spec"]["names"]["kind"] == "Model")


def schema_of(found: Any) -> Any:
    """Its schema."""
    return found["spec"]["versions"][0]["schema"]["openAPIV3Schema"]


def without_rules(node: Any) -> Any:
    """A schema without CEL rules, as from a tool that doesn't know them."""
    if isinstance(node, dict):
        return {key: without_rules(value) for key, value in node.items() if key != RULES}
    return [without_rules(item) for item in node] if isinstance(node, list) else node


def model(namespace: str, name: str = "m", **gpu: Any) -> JSONObject:
    """A Model with a GPU, by a claim and by a resource at once unless `gpu` says otherwise."""
    claims = [{"name": "c", "resourceClaimName": "claim"}]
    return {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "source": "https://example.com/m.gguf",
            "hardware": {"gpu": {"resourceName": "nvidia.com/gpu", "resourceClaims": claims, **gpu}},
        },
    }


@pytest.fixture
def live(cluster: Cluster) -> Iterator[Cluster]:
    """The webhook, which follows the cluster; the whole CRD is installed before and afterwards."""
    install(cluster, crd())
    cluster.serve(["--live", "--kubeconfig", str(cluster.plane.kubeconfig), "--reload-seconds", "0.2"])
    eventually(lambda: ready(cluster.webhook))
    cluster.register()
    eventually(lambda: missing(cluster) == 0)
    yield cluster
    install(cluster, crd())
    cluster.serve([])
    cluster.register()


@pytest.fixture
def namespace(live: Cluster, request: pytest.FixtureRequest) -> str:
    """A new namespace for the test."""
    return live.namespace(request.node.name.replace("_", "-")[:63].strip("-"))


def install(cluster: Cluster, found: Any) -> None:
    """Replace the installed CRD."""
    cluster.apply(found)


def missing(cluster: Cluster) -> float:
    """How many checks the installed CRD of the Model lacks, by the webhook's metrics; -1 if they don't say yet."""
    sample = 'weighbridge_crd_missing_checks{kind="Model"} '
    lines = (line for line in cluster.webhook.page("/metrics").splitlines() if line.startswith(sample))
    return next((float(line.removeprefix(sample)) for line in lines), -1)


def patched(cluster: Cluster, namespace: str, spec: JSONObject) -> Any:
    """`kubectl patch` of the Model m."""
    return cluster.plane.kubectl("patch", "-n", namespace, "models", "m", "--type=merge", "-p", json.dumps({"spec": spec}))


def test_rules_that_a_tool_has_dropped_are_held(live: Cluster, namespace: str) -> None:
    refused = live.create(model(namespace))
    assert refused.returncode == 1
    assert "admission webhook" not in refused.stderr, "with the whole CRD the server refuses it"
    install(live, without_rules(crd()))
    eventually(lambda: missing(live) == 2)
    refused = live.create(model(namespace))
    assert f'{_DENIED}m" is invalid: spec.hardware.gpu: {_invalid()}' in refused.stderr, refused.stderr
    told = [line for line in live.webhook.lines() if "the installed CRD of Model lacks 2 checks" in str(line["message"])]
    assert told[-1]["lacks"] == [f"spec.hardware.gpu.resourceClaims: {RULES}", f"spec.hardware.gpu: {RULES}"]
    install(live, crd())
    eventually(lambda: missing(live) == 0)
    assert "admission webhook" not in live.create(model(namespace)).stderr


def test_an_object_that_was_wrong_before_can_be_updated(live: Cluster, namespace: str) -> None:
    install(live, without_rules(crd()))
    eventually(lambda: missing(live) == 2)
    live.unregister()
    eventually(lambda: live.create(model(namespace)).returncode == 0)
    live.register()
    labelled = live.plane.kubectl("label", "-n", namespace, "models", "m", "team=research")
    assert labelled.returncode == 0, labelled.stderr
    elsewhere = patched(live, namespace, {"quantization": "Q4_K_M"})
    assert elsewhere.returncode == 0, elsewhere.stderr
    assert f"Warning: spec.hardware.gpu: {_invalid()}" in elsewhere.stderr
    worse = patched(live, namespace, {"hardware": {"gpu": {"resourceClaims": [{"name": "c"}]}}})
    assert "each claim must have exactly one of resourceClaimName or resourceClaimTemplateName" in worse.stderr
    mended = patched(live, namespace, {"hardware": {"gpu": {"resourceClaims": None}}})
    assert mended.returncode == 0, mended.stderr
    again = patched(live, namespace, {"hardware": {"gpu": {"resourceClaims": [{"name": "c", "resourceClaimName": "claim"}]}}})
    assert _BOTH in again.stderr


def test_a_schema_that_a_build_has_taken_out_is_held(live: Cluster, namespace: str) -> None:
    stripped = crd()
    schema_of(stripped)["properties"]["spec"]["properties"]["hardware"] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    install(live, stripped)
    eventually(lambda: missing(live) == 1)
    wrong = live.create(model(namespace, vendor="nvidea", count="two"))
    assert 'spec.hardware.gpu.vendor: Unsupported value: "nvidea": supported values: ' in wrong.stderr, wrong.stderr
    assert 'spec.hardware.gpu.count in body must be of type integer: "string"' in wrong.stderr
    assert _BOTH in live.create(model(namespace)).stderr
    assert live.create(model(namespace, resourceClaims=[], countOfALaterRelease=1)).returncode == 0


def test_rules_of_the_running_release_are_held_though_its_crd_is_older(live: Cluster, namespace: str) -> None:
    old = without_rules(crd())
    for name in _CAME_LATER:
        del schema_of(old)["properties"]["spec"]["properties"][name]
    live.namespace("llmkube-system")
    live.plane.kubectl("create", "-f", "-", input=json.dumps(_OPERATOR), check=True)
    try:
        install(live, old)
        eventually(lambda: missing(live) == 2)
        eventually(lambda: _DENIED in live.create(model(namespace)).stderr)
        assert _BOTH in live.create(model(namespace)).stderr
        told = [line for line in live.webhook.lines() if "lacks 2 checks of v0.9.19" in str(line["message"])]
        assert told
        assert told[-1]["unknownFields"] == [f"spec.{name}" for name in _CAME_LATER]
    finally:
        live.plane.kubectl("delete", "deployment", "-n", "llmkube-system", "llmkube-controller", check=True)


def test_the_command_line_says_of_the_cluster_what_the_webhook_does(live: Cluster, namespace: str, tmp_path: Any) -> None:
    install(live, without_rules(crd()))
    eventually(lambda: missing(live) == 2)
    snapshot, manifest = tmp_path / "cluster.json", tmp_path / "model.yaml"
    snapshot.write_text(run("snapshot", "--kubeconfig", str(live.plane.kubeconfig), "-o", "json").stdout)
    manifest.write_text(json.dumps(model(namespace)))
    record = json.loads(run("dry-run", str(manifest), "--cluster", str(snapshot), "-o", "jsonl").stdout)
    assert record["message"] in live.create(model(namespace)).stderr
    assert [loss["field"] for loss in record["crd"]["lacks"]] == ["spec.hardware.gpu.resourceClaims", "spec.hardware.gpu"]
