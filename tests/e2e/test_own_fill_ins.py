"""Fill-ins of policies through a real API server: it stores the object that `dry-run` shows, even if our webhook is called twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.e2e.cluster import LAST_APPLIED, Cluster, stored, without_manifest, without_servers_own
from tests.e2e.comparison import said
from tests.e2e.other_webhook import LABEL, OtherWebhook
from tests.e2e.process import TurningProcess
from tests.e2e.reviews import eventually
from tests.yaml_documents import read_all
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.families.llmkube.family import FAMILY
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release

pytestmark = pytest.mark.control_plane

PLACE = "own-fill-ins"
KIND = "InferenceService.inference.llmkube.dev"
RESOURCE = "inferenceservices.inference.llmkube.dev"
MODEL = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "Model",
    "metadata": {"name": "llama", "namespace": PLACE},
    "spec": {"source": "https://example.com/llama.gguf", "hardware": {"accelerator": "cuda", "gpu": {"count": 2}}},
}
#: The fill-ins of a policy: values from the prediction, from the object and constants, in texts, numbers, maps and lists.
FILL_INS = {
    ".metadata.labels['example.com/gpus']": "string(effective.gpus)",
    ".metadata.labels.asked": f"object.metadata.?labels[?'{LABEL}'].orValue('first')",
    ".metadata.annotations['example.com/model']": "object.spec.modelRef",
    ".spec.priority": "effective.gpus > 2 ? 'batch' : 'high'",
    ".spec.contextSize": "4096 * effective.gpus",
    ".spec.nodeSelector": "{'pool': 'gpu'}",
    ".spec.extraArgs": "['--verbose', '--n=' + string(effective.gpus)]",
    ".spec.resources.memory": "optional.none()",
}
MANIFESTS: dict[str, dict[str, Any]] = {
    "bare": {},
    "two": {"replicas": 2},
    "written": {"priority": "normal", "contextSize": 512, "nodeSelector": {}, "extraArgs": []},
    "beside": {"resources": {"cpu": "2"}, "podLabels": {"a": "b"}},
}


def service(name: str, **metadata: Any) -> JSONObject:
    """A service of the model."""
    spec = {"modelRef": "llama", **MANIFESTS.get(name, {})}
    return {**MODEL, "kind": "InferenceService", "metadata": {"name": name, "namespace": PLACE, **metadata}, "spec": spec}


def written(folder: Path, fill_ins: dict[str, str]) -> tuple[Path, Path]:
    """The cluster with the model, and the configuration with a policy that fills these in."""
    cluster, config = folder / "cluster.json", folder / "config.json"
    cluster.write_text(json.dumps(MODEL))
    entries = [{"fieldPath": path, "expression": text} for path, text in fill_ins.items()]
    policy = {"id": "POLICY-001", "name": "tried", "match": {"kinds": [KIND]}, "fillIns": entries}
    document = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", "policies": [policy]}
    config.write_text(json.dumps(document))
    return cluster, config


def dry_run(folder: Path, obj: JSONObject, paths: tuple[Path, Path]) -> JSONObject:
    """The output of `dry-run` for an object."""
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps(obj))
    done = run("dry-run", str(manifest), "--cluster", str(paths[0]), "--config", str(paths[1]), "-o", "json")
    verdict: JSONObject = json.loads(done.stdout)["verdicts"][0]
    return verdict


@pytest.fixture(scope="module")
def webhook(cluster: Cluster) -> Iterator[TurningProcess]:
    """Our webhook, which can be turned to other configurations."""
    cluster.namespace(PLACE)
    with cluster.turning() as webhook:
        yield webhook


@pytest.fixture
def other(cluster: Cluster, webhook: TurningProcess, tmp_path: Path) -> Iterator[None]:
    """Another webhook after it, which adds a label, so that ours is called again."""
    webhook.turn()
    other = OtherWebhook(tmp_path)
    cluster.apply(other.configuration(FAMILY))
    eventually(lambda: LABEL in cluster.create({**MODEL, "metadata": {"name": "probe", "namespace": PLACE}}, dry_run=True).stdout)
    try:
        yield
    finally:
        cluster.plane.kubectl("delete", "mutatingwebhookconfiguration", "zz-other", check=True)
        other.close()


def created(cluster: Cluster, obj: JSONObject) -> tuple[JSONObject, list[str]]:
    """The object that the server would store, and its warnings."""
    done = cluster.create(obj, dry_run=True)
    assert done.returncode == 0, done.stderr
    return without_manifest(stored(done.stdout)), sorted(said(done.stderr)[0])


@pytest.mark.parametrize("name", MANIFESTS)
def test_the_server_stores_what_dry_run_shows(cluster: Cluster, webhook: TurningProcess, tmp_path: Path, name: str) -> None:
    paths = written(tmp_path, FILL_INS)
    webhook.turn(*paths)
    verdict = dry_run(tmp_path, service(name), paths)
    assert verdict["allowed"] is True
    assert created(cluster, service(name)) == (without_servers_own(verdict["object"]), sorted(verdict["warnings"]))
    assert ("POLICY-001" in verdict["object"]["metadata"]["annotations"][KEY]) is True


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize("name", MANIFESTS)
def test_asked_again_it_fills_in_what_follows_from_the_changed_object(
    cluster: Cluster, webhook: TurningProcess, tmp_path: Path, name: str
) -> None:
    paths = written(tmp_path, FILL_INS)
    webhook.turn(*paths)
    # The other webhook's label exists at the second call, and one value follows from it.
    verdict = dry_run(tmp_path, service(name, labels={LABEL: "true"}), paths)
    found, _ = created(cluster, service(name))
    assert found["metadata"]["labels"]["asked"] == "true"
    assert in_order(found) == in_order(without_servers_own(verdict["object"]))


def in_order(obj: JSONObject) -> tuple[JSONObject, list[str]]:
    """An object without its record, and the entries of the record, in which those of the second call come last."""
    annotations = dict(obj["metadata"]["annotations"])
    entries = sorted(map(json.dumps, json.loads(annotations.pop(KEY))))
    return {**obj, "metadata": {**obj["metadata"], "annotations": annotations}}, entries


def apply(cluster: Cluster, obj: JSONObject) -> JSONObject:
    """Apply an object with kubectl's client-side apply. Returns the stored object."""
    cluster.plane.kubectl("apply", "-f", "-", input=json.dumps(obj), check=True)
    return get(cluster, obj["metadata"]["name"])


def get(cluster: Cluster, name: str) -> JSONObject:
    """The stored object."""
    found = without_servers_own(
        json.loads(cluster.plane.kubectl("get", f"{RESOURCE}/{name}", "-n", PLACE, "-o", "json", check=True).stdout)
    )
    found["metadata"]["annotations"].pop(LAST_APPLIED)
    return found


def label(cluster: Cluster, name: str, value: str) -> JSONObject:
    """Label the object. Returns the stored object."""
    cluster.plane.kubectl("label", f"{RESOURCE}/{name}", "-n", PLACE, f"by={value}", "--overwrite", check=True)
    return get(cluster, name)


def test_a_value_follows_the_policy_and_is_the_authors_once_written(cluster: Cluster, webhook: TurningProcess, tmp_path: Path) -> None:
    webhook.turn(*written(tmp_path, FILL_INS))
    first = apply(cluster, service("follows"))
    assert (first["spec"]["contextSize"], first["spec"]["nodeSelector"]) == (8192, {"pool": "gpu"})
    assert label(cluster, "follows", "a")["spec"] == first["spec"]
    webhook.turn(*written(tmp_path, {".spec.contextSize": "1024", ".spec.nodeSelector": "optional.none()"}))
    second = label(cluster, "follows", "b")
    assert second["spec"]["contextSize"] == 1024
    assert "nodeSelector" not in second["spec"]
    assert second["spec"]["extraArgs"] == first["spec"]["extraArgs"]
    obj = service("follows")
    obj["spec"]["contextSize"] = 1024
    assert "spec.contextSize" not in apply(cluster, obj)["metadata"]["annotations"].get(KEY, "")
    webhook.turn(*written(tmp_path, {".spec.contextSize": "2048"}))
    assert label(cluster, "follows", "c")["spec"]["contextSize"] == 1024


def test_what_an_exported_policy_fills_in_follows_once_the_webhook_is_asked(
    cluster: Cluster, webhook: TurningProcess, tmp_path: Path
) -> None:
    if not release().serves_mutating_policies:
        pytest.skip("this release serves no mutating policies")
    fill_ins = {".spec.contextSize": "4096", ".metadata.labels['example.com/model']": "object.spec.modelRef"}
    paths = written(tmp_path, fill_ins)
    exported = run("export", "POLICY-001", "--config", str(paths[1]))
    policies = list(read_all(exported.stdout))
    webhook.turn(lets_all_in=True)
    for obj in policies:
        cluster.apply(obj)
    try:
        eventually(lambda: "contextSize" in created(cluster, service("bare"))[0]["spec"])
        by_policy = apply(cluster, service("exported"))
        webhook.turn(*paths)
        # The webhook recognises its own values, so nothing changes as long as it fills in the same.
        assert label(cluster, "exported", "a")["spec"] == by_policy["spec"]
        assert created(cluster, service("bare"))[0] == without_servers_own(dry_run(tmp_path, service("bare"), paths)["object"])
        webhook.turn(*written(tmp_path, {**fill_ins, ".spec.contextSize": "1024"}))
        assert label(cluster, "exported", "b")["spec"]["contextSize"] == 1024
    finally:
        for obj in policies:
            cluster.plane.kubectl("delete", obj["kind"], obj["metadata"]["name"], check=True)
        webhook.turn(lets_all_in=True)
        # The server applies a deleted policy for another moment.
        eventually(lambda: "contextSize" not in created(cluster, service("bare"))[0]["spec"])
