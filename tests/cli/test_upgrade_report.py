"""`weighbridge audit` of an upgrade: the effects of another release of Kubernetes or of a system on a cluster's objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command_line import run

CRDS = Path(__file__).resolve().parents[2] / "policies" / "families" / "llmkube" / "crds"
#: Kubernetes enforces the format from 1.36 on.
LARGE = {"uBatchSize": 2**40}
#: Kubernetes warns of unknown formats of numbers from 1.36 on, and of sets of objects from 1.37 on.
THING = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.example.com", "uid": "c", "resourceVersion": "1"},
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "n": {"type": "integer", "format": "int7"},
                            "s": {
                                "type": "array",
                                "x-kubernetes-list-type": "set",
                                "items": {"type": "object", "x-kubernetes-map-type": "atomic"},
                            },
                        },
                    }
                },
            }
        ],
    },
    "status": {"storedVersions": ["v1"]},
}


def stored(kind: str, name: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    head = {"name": name, "namespace": "shop", "uid": name, "resourceVersion": "1", **metadata}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": kind, "metadata": head, "spec": spec}


MODEL = stored(
    "Model", "m", {"source": "https://example.com/m.gguf", "hardware": {"gpu": {"enabled": True, "count": 1, "vendor": "nvidia"}}}
)
SERVICE = stored("InferenceService", "s", {"modelRef": "m", "replicas": 1}, annotations={"meta.helm.sh/release-name": "chat"})


def snapshot(folder: Path, *objects: dict[str, Any], server: str = "v1.36.3") -> str:
    path = folder / "cluster.yaml"
    header = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot", "server": server, "items": list(objects)}
    path.write_text(yaml.safe_dump(header))
    return str(path)


def audited(*arguments: str) -> tuple[int, dict[str, Any]]:
    done = run("audit", *arguments, "-o", "json")
    return done.returncode, json.loads(done.stdout)


def changes(found: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """For each change the object, the operation, the kind of change, and the field."""
    return [(entry["name"], one["operation"], one["what"], one["field"]) for entry in found["changes"] for one in entry["changes"]]


def installed(release: str) -> dict[str, Any]:
    crd: dict[str, Any] = yaml.safe_load((CRDS / release / "inference.llmkube.dev_inferenceservices.yaml").read_text())
    return {**crd, "status": {"storedVersions": ["v1alpha1"]}}


def test_an_upgrade_of_kubernetes_says_what_it_refuses_anew(tmp_path: Path) -> None:
    cluster = snapshot(tmp_path, MODEL, {**SERVICE, "spec": {"modelRef": "m", **LARGE}}, server="v1.35.2")
    code, found = audited("--cluster", cluster, "--kubernetes-version", "1.36")
    assert code == 1
    assert (found["from"], found["to"]) == ("Kubernetes 1.35", ["Kubernetes 1.36"])
    assert (found["objects"], found["creationsRefused"]) == (2, 1)
    # A stored value may stay.
    assert changes(found) == [("s", "CREATE", "refused", "<nil>")]
    assert "must be of type integer with format int32 in spec.uBatchSize" in found["changes"][0]["changes"][0]["message"]
    assert {(entry["owner"], entry["namespace"]) for entry in found["changes"]} == {("helm/chat", "shop")}


def test_what_both_releases_refuse_is_no_matter_of_the_upgrade(tmp_path: Path) -> None:
    bad = stored("Model", "m", {"source": "https://example.com/m.gguf", "nothing": 1}, ownerReferences=[])
    code, found = audited("--cluster", snapshot(tmp_path, bad), "--kubernetes-version", "1.37")
    assert (code, found["changes"]) == (0, [])


def test_other_words_for_one_refusal_are_no_refusal(tmp_path: Path) -> None:
    owned = {**MODEL, "metadata": {**MODEL["metadata"], "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "", "uid": "u"}]}}
    code, found = audited("--cluster", snapshot(tmp_path, owned), "--kubernetes-version", "1.37")
    assert code == 0
    assert changes(found) == [("m", "UPDATE", "refused otherwise", "metadata.ownerReferences[0].name")]


def test_crds_are_judged_by_each_release(tmp_path: Path) -> None:
    code, found = audited("--cluster", snapshot(tmp_path, THING, server="v1.35.1"), "--kubernetes-version", "1.36,1.37")
    assert (code, found["customResourceDefinitions"], found["to"]) == (0, 1, ["Kubernetes 1.36", "Kubernetes 1.37"])
    said = [(entry["to"], one["what"], one["message"]) for entry in found["changes"] for one in entry["changes"]]
    assert said[0] == ("Kubernetes 1.36", "warned of", 'unrecognized format "int7"')
    assert said[1][:2] == ("Kubernetes 1.37", "warned of")
    assert said[1][2].startswith("x-kubernetes-list-type: set for items of type")


def test_a_crd_that_another_release_would_not_take_fails(tmp_path: Path) -> None:
    # Before 1.37 the cost of a rule is estimated with names of any length.
    crd = json.loads(json.dumps(THING))
    texts = {"type": "array", "maxItems": 10, "items": {"type": "string", "maxLength": 40}}
    rules = [{"rule": "!has(self.spec) || self.spec.all(text, self.metadata.name.contains(text))"}]
    schema = {"type": "object", "x-kubernetes-validations": rules, "properties": {"spec": texts}}
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema
    code, found = audited("--cluster", snapshot(tmp_path, crd, server="v1.37.2"), "--kubernetes-version", "1.36")
    assert (code, found["from"], found["to"], found["creationsRefused"]) == (1, "Kubernetes 1.37", ["Kubernetes 1.36"], 1)
    assert all(change[:3] == ("things.example.com", "CREATE", "refused") for change in changes(found))
    code, found = audited("--cluster", snapshot(tmp_path, crd), "--kubernetes-version", "1.37")
    assert (code, found["from"], found["creationsRefused"]) == (0, "Kubernetes 1.36", 0)
    assert {change[2] for change in changes(found)} == {"taken again"}


def test_an_upgrade_of_an_operator_says_what_it_does_to_objects(tmp_path: Path) -> None:
    cluster = snapshot(tmp_path, MODEL, SERVICE, installed("v0.9.5"))
    code, found = audited("--cluster", cluster, "--release", "llmkube=0.9.19")
    assert (code, found["from"], found["to"]) == (0, "today's cluster", ["LLMKube v0.9.19"])
    assert ("s", "UPDATE", "filled in otherwise", "spec.suspend") in changes(found)
    assert ("s", "UPDATE", "created otherwise", "") in changes(found)
    # The other schema of the CRD isn't a change to report.
    assert {entry["kind"] for entry in found["changes"]} == {"InferenceService"}


def test_a_crd_of_the_release_that_the_server_would_not_take_fails(tmp_path: Path) -> None:
    crd = installed("v0.9.5")
    older = {**crd["spec"]["versions"][0], "name": "v1alpha0", "storage": False}
    crd["spec"]["versions"].append(older)
    crd["status"]["storedVersions"].append("v1alpha0")
    code, found = audited("--cluster", snapshot(tmp_path, crd), "--release", "llmkube=0.9.19")
    assert (code, found["updatesRefused"], found["creationsRefused"]) == (1, 1, 0)
    assert changes(found) == [("inferenceservices.inference.llmkube.dev", "UPDATE", "refused", "status.storedVersions[1]")]


def test_a_downgrade_of_an_operator_refuses_what_the_old_one_lacks(tmp_path: Path) -> None:
    newer = {**SERVICE, "spec": {**SERVICE["spec"], "suspend": True}}
    quota = stored("GPUQuota", "q", {"gpuCount": 1})
    code, found = audited("--cluster", snapshot(tmp_path, MODEL, newer, quota, installed("v0.9.19")), "--release", "llmkube=0.9.5")
    assert code == 1
    assert {("q", "UPDATE", "refused", "apiVersion"), ("s", "UPDATE", "refused", "spec.suspend")} <= set(changes(found))


def test_kubernetes_and_an_operator_are_upgraded_together(tmp_path: Path) -> None:
    _, found = audited("--cluster", snapshot(tmp_path, MODEL, SERVICE), "--release", "llmkube=0.9.5", "--kubernetes-version", "1.37")
    assert (found["from"], found["to"]) == ("today's cluster", ["Kubernetes 1.37 with LLMKube v0.9.5"])


def test_the_text_names_each_object_with_its_changes_and_counts(tmp_path: Path) -> None:
    cluster = snapshot(tmp_path, MODEL, SERVICE, installed("v0.9.5"))
    done = run("audit", "--cluster", cluster, "--release", "llmkube=0.9.19")
    lines = done.stdout.splitlines()
    assert lines[0] == "from today's cluster to LLMKube v0.9.19:"
    assert lines[1] == "  shop/InferenceService/s (helm/chat)"
    assert "    filled in otherwise: spec.suspend: LLMKube v0.9.19 fills in false, and today's cluster nothing" in lines
    assert lines[-1] == (
        "2 objects and 1 CRD, from today's cluster to LLMKube v0.9.19: 0 refused as they are, 0 refused if created anew, 1 changed in all"
    )


def test_of_many_objects_each_change_is_said_once(tmp_path: Path) -> None:
    services = [{**SERVICE, "metadata": {**SERVICE["metadata"], "name": f"s{number}", "uid": f"s{number}"}} for number in range(30)]
    cluster = snapshot(tmp_path, MODEL, *services, installed("v0.9.5"))
    short, whole = (run("audit", "--cluster", cluster, "--release", "llmkube=0.9.19", *more).stdout.splitlines() for more in ((), ("-v",)))
    at = next(number for number, line in enumerate(short) if "spec.suspend: LLMKube v0.9.19 fills in false" in line)
    named = ", ".join(f"shop/InferenceService/s{number} (helm/chat)" for number in range(3))
    assert short[at + 1] == f"    {named} and 27 more"
    assert sum("creates Deployment/" in line for line in short) == 1
    assert sum("creates Deployment/" in line for line in whole) == 30
    assert short[-1] == whole[-1]


def test_the_clusters_own_release_is_no_upgrade(tmp_path: Path) -> None:
    cluster = snapshot(tmp_path, MODEL)
    assert run("audit", "--cluster", cluster, "--kubernetes-version", "1.36").stdout == run("audit", "--cluster", cluster).stdout


@pytest.mark.parametrize("server", ["", "v1.37.2"])
def test_an_unknown_release_of_the_cluster_is_not_compared_with(tmp_path: Path, server: str) -> None:
    cluster = snapshot(tmp_path, MODEL, server=server)
    done = run("audit", "--cluster", cluster, "--kubernetes-version", "1.37")
    assert "\n1 object: mode deny would refuse" in done.stdout
    assert ("nothing is compared; name both, as --kubernetes-version 1.36,1.37" in done.stderr) is (server == "")
