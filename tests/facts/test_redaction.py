"""A redacted snapshot has no secrets, says what was blanked, and leads to the same verdicts."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.doors.cases import CASES, IDS, Case
from tests.facts.planted_secrets import a_cluster, an_object, secrets
from tests.families.test_reads import _examples
from tests.programs.scheduler.suite import MAKERS, scenario
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.credentials import BLANK
from weighbridge.policies.facts.document import Extent, SnapshotHeader
from weighbridge.policies.facts.redaction import Redaction
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.placement import place
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.cluster.transform import Transform, needed
from weighbridge.webhook.inputs.cluster_files import read_cluster
from weighbridge.webhook.inputs.facts import bundled_definitions, definitions_among
from weighbridge.webhook.texts.yaml_text import yaml_text

NEEDED = needed()
#: Cases whose verdict changes: it depends on a name, its length or its parts, or the configuration names objects.
BY_NAME = {
    *("llmkube/refuses-a-model-name-of-64-characters", "llmkube/refuses-a-name-that-no-label-takes"),
    "llmkube/refuses-a-prefetch-of-a-model-with-a-long-name",
    *("llmkube/refuses-a-service-name-that-is-taken", "llmkube/refuses-what-its-namespace-denies"),
    *("llmkube/accepts-pods-of-an-exempt-namespace", "ome/accepts-pods-of-an-exempt-namespace"),
    *("llmkube/notes-what-an-exception-names", "llmkube/warns-where-a-later-entry-says-so"),
    "aim/refuses-a-service-in-a-namespace-of-too-long-a-name",
    *("llmaz/refuses-a-model-named-with-a-dot", "llmaz/refuses-a-playground-named-with-a-dot"),
    *("llmaz/refuses-a-name-of-61-characters", "llmaz/refuses-a-name-of-64-characters"),
    *("llmaz/warns-of-a-name-of-51-characters-with-workers", "llmaz/warns-of-a-name-of-53-characters"),
    *("llmaz/warns-of-a-name-of-60-characters", "llmaz/warns-of-a-name-that-begins-with-a-digit"),
    "llmaz/warns-of-a-front-service-of-another",
    *("aim/warns-of-a-kv-cache-that-exists-with-another-image", "aim/warns-of-a-name-that-is-cut", "aim/warns-of-a-name-that-kaiwo-cuts"),
    *("ome/accepts-a-service-name-of-63-characters", "ome/refuses-a-model-named-with-a-dot", "ome/refuses-a-name-of-another-engine"),
    *("ome/refuses-a-name-that-begins-with-a-digit", "ome/refuses-a-service-named-with-a-dot"),
    *("ome/refuses-a-service-whose-engine-has-a-name-that-is-taken", "ome/refuses-a-service-with-too-long-a-name"),
    *("ome/warns-of-a-name-that-ends-as-another", "ome/warns-of-a-second-autoscaler"),
    # The name of the model is in the key of a node's label.
    *("ome/warns-of-a-model-that-is-ready-on-too-small-a-node", "ome/warns-of-a-ray-cluster-beyond-the-nodes"),
    # An argument without a size is blanked, with its braces.
    *("llmaz/warns-of-braces-with-another-letter", "ome/warns-of-a-quote-in-braces"),
    # A shell's script is blanked, and so is the value of a variable.
    *("ome/refuses-another-port-in-a-shell-s-line", "ome/refuses-another-port-by-a-variable", "ome/warns-of-a-script-without-the-model"),
    "ome/warns-of-an-image-without-a-gpu-backend",
    # A redacted snapshot has no record on objects, so filled-in values can't be recognised.
    *("llmkube/follows-a-changed-vendor", "llmkube/lets-go-of-the-name-for-claims", "llmkube/follows-the-model-to-another-image"),
    "llmkube/warns-of-a-service-that-no-longer-follows-its-model",
    # An annotation with a domain is blanked.
    "ome/warns-of-an-address-that-is-no-domain",
    # The configuration has the name of the NodePool.
    "llmkube/holds-a-declared-node-to-the-limit-of-its-pool",
    # The configuration has the name of the mirror.
    "llmkube/warns-of-a-rocm-image-of-a-configured-mirror",
}
#: Rules whose examples find an object by a name that is derived from another one's, or read an argument that is blanked.
RULES_BY_NAME = {"AIM-026", "OME-053", "OME-180"}


def _kept(objects: list[JSONObject]) -> list[JSONObject]:
    return [part for part in map(Transform(), objects) if part is not None]


def _redaction(objects: list[JSONObject], definitions: Definitions | None = None) -> Redaction:
    return Redaction(objects, NEEDED, definitions or definitions_among(objects))


def test_no_secret_is_left_anywhere_and_all_is_listed(tmp_path: Path) -> None:
    planted = secrets()
    cluster = a_cluster(planted)
    assert int(next(planted).split("-")[1]) > 60
    objects = _kept(cluster)
    redaction = _redaction(objects)
    items = [redaction.redact(obj) for obj in objects]
    header = SnapshotHeader("v1.36.3", "2026-01-01T00:00:00+00:00", (("", "Node"),), {}, tuple(redaction.blanks))
    document = header.document(items)
    for text in (json.dumps(document), yaml_text(document)):
        assert "SECRET" not in text
    listed = {blanks["kind"]: blanks["fields"] for blanks in document["redacted"]}
    assert {"metadata.annotations", "spec.env[0].value", "spec.extraArgs[0]", "spec.extraArgs[2]"} < set(
        listed["InferenceService.inference.llmkube.dev"]
    )
    assert listed["Model.inference.llmkube.dev"] == ["spec.source", "status.conditions[0].message", "metadata.annotations"]
    assert listed["Deployment.apps"] == ["spec.template.spec.containers[0].args[1]"]
    path = tmp_path / "cluster.yaml"
    path.write_text(yaml_text(document))
    assert read_cluster([str(path)]) == (items, Extent(frozenset({("", "Node")}), server="v1.36.3"))


def test_what_rules_and_placement_need_is_left() -> None:
    objects = _kept(a_cluster(secrets()))
    redaction = _redaction(objects)
    by_kind = {(obj["apiVersion"], obj["kind"]): redaction.redact(obj) for obj in objects}
    (container,) = by_kind["apps/v1", "Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["--dri-render-gid=991", f"--default-litellm-url=https://{BLANK}@host-1/?key={BLANK}"]
    assert container["env"] == [{"name": "LLMKUBE_INTEL_GPU_RESOURCE", "value": "gpu.intel.com/xe"}]
    spec = by_kind["inference.llmkube.dev/v1alpha1", "InferenceService"]["spec"]
    assert spec["extraArgs"] == [f"--api-key={BLANK}", "--token", BLANK, "--port=8080", "--tensor-parallel-size", "4"]
    assert (spec["runtime"], spec["tolerations"][0]["value"]) == ("vllm", "kept")
    volume, claim = by_kind["v1", "PersistentVolume"], by_kind["v1", "PersistentVolumeClaim"]
    assert volume["spec"]["claimRef"] == {"namespace": "namespace-1", "name": name_of(claim), "uid": claim["metadata"]["uid"]}
    assert claim["spec"]["volumeName"] == name_of(volume)


def test_without_redaction_nothing_is_kept_that_nobody_reads() -> None:
    kept = {obj["kind"]: obj for obj in _kept(a_cluster(secrets()))}
    assert "last-applied" not in json.dumps(list(kept.values()))
    assert "managedFields" not in json.dumps(list(kept.values()))
    read_by_nobody = (
        "Deployment",
        "Service",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "StorageClass",
        "CSIDriver",
    )
    assert all("annotations" not in kept[kind]["metadata"] for kind in read_by_nobody)
    for kind in (
        *read_by_nobody,
        "CSINode",
        "RuntimeClass",
        "PriorityClass",
        "DeviceClass",
        "ResourceClaim",
        "NodePool",
        "MachineDeployment",
    ):
        # One of the operator's flags that are read has a secret.
        assert ("SECRET" in json.dumps(kept[kind])) == (kind == "Deployment"), kind
    assert json.dumps(kept["Deployment"]).count("SECRET") == 2


def test_names_are_taken_out_of_what_refers_to_them() -> None:
    objects = [
        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "weights", "namespace": "team-a"}},
        an_object("inference.llmkube.dev/v1alpha1", "Model", spec={"source": "pvc://weights/m.gguf"}),
        an_object("x.io/v1", "Other", spec={"storageUri": "pvc://team-a:weights/m"}),
        an_object("inference.llmkube.dev/v1alpha1", "GPUQuota", spec={"namespaceRef": "team-a"}),
        an_object(
            "inference.llmkube.dev/v1alpha1",
            "GPUQuota",
            spec={"selector": {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["team-a"]}]}},
        ),
        an_object(
            "inference.llmkube.dev/v1alpha1",
            "ModelPool",
            spec={"default": "the-model", "members": [{"inferenceServiceRef": {"name": "the-model"}}]},
        ),
    ]
    redaction = _redaction(objects)
    claim, model, other, quota, selecting, pool = map(redaction.redact, objects)
    assert model["spec"]["source"] == f"pvc://{name_of(claim)}/file-1.gguf"
    assert other["spec"]["storageUri"] == f"pvc://namespace-1:{name_of(claim)}/m"
    assert quota["spec"] == {"namespaceRef": "namespace-1"}
    assert selecting["spec"]["selector"]["matchExpressions"][0]["values"] == ["namespace-1"]
    assert pool["spec"]["default"] == pool["spec"]["members"][0]["inferenceServiceRef"]["name"] == name_of(model)


def test_queues_name_each_other_by_their_new_names() -> None:
    kueue, volcano = "kueue.x-k8s.io/v1beta2", "scheduling.volcano.sh/v1beta1"
    local = {"apiVersion": kueue, "kind": "LocalQueue", "metadata": {"name": "a", "namespace": "n"}, "spec": {"clusterQueue": "b"}}
    above = {"apiVersion": kueue, "kind": "ClusterQueue", "metadata": {"name": "b"}, "spec": {"cohortName": "c"}}
    cohort = {"apiVersion": kueue, "kind": "Cohort", "metadata": {"name": "c"}, "spec": {"parentName": "d"}}
    queue = {"apiVersion": volcano, "kind": "Queue", "metadata": {"name": "e"}, "spec": {"parent": "root"}}
    group = {"apiVersion": volcano, "kind": "PodGroup", "metadata": {"name": "f", "namespace": "n"}, "spec": {"queue": "e"}}
    objects = [local, above, cohort, queue, group]
    redaction = _redaction(objects)
    redacted = [redaction.redact(obj) for obj in objects]
    names = list(map(name_of, redacted))
    assert not set(names) & set("abcdef")
    referred = [next(iter(obj["spec"].values())) for obj in redacted]
    assert [referred[0], referred[1], referred[3], referred[4]] == [names[1], names[2], "root", names[3]]
    # A missing object gets a new name as well.
    assert referred[2] != "d"


def test_hosts_and_paths_are_numbered_and_public_ones_stay() -> None:
    source = "https://models.corp.example/secret-project/llama-70b-Q4_K_M.gguf"
    objects = [
        an_object("inference.llmkube.dev/v1alpha1", "Model", {"name": "a"}, spec={"source": source}),
        an_object("inference.llmkube.dev/v1alpha1", "Model", {"name": "b"}, spec={"source": source.replace("llama-70b", "other-8b")}),
        an_object(
            "inference.llmkube.dev/v1alpha1", "Model", {"name": "c"}, spec={"source": "https://huggingface.co/acme/x/resolve/main/y.gguf"}
        ),
        an_object(
            "x.io/v1",
            "Other",
            {"name": "d"},
            spec={"storageUri": "oci://n/corp/b/weights/o/team/m", "image": "reg.corp.example/team/vllm:1"},
        ),
        an_object("x.io/v1", "Other", {"name": "e"}, spec={"image": "ghcr.io/ggml-org/llama.cpp:server", "hostname": "chat.corp.example"}),
        an_object("x.io/v1", "Other", {"name": "f"}, spec={"serverAddress": "http://prometheus.team-a.svc:9090/a/b"}),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a"}},
    ]
    redaction = _redaction(objects)
    specs = [redaction.redact(obj).get("spec", {}) for obj in objects]
    assert [spec["source"] for spec in specs[:3]] == [
        "https://host-1.example/path-1/file-2-70b-Q4_K_M.gguf",
        "https://host-1.example/path-1/file-3-8b-Q4_K_M.gguf",
        "https://huggingface.co/acme/x/resolve/main/y.gguf",
    ]
    assert specs[3] == {"storageUri": "oci://n/path-4/b/path-5/o/path-6/m", "image": "host-2.example/path-6/vllm:1"}
    assert specs[4] == {"image": "ghcr.io/ggml-org/llama.cpp:server", "hostname": "host-3.example"}
    assert specs[5] == {"serverAddress": "http://prometheus.namespace-1.svc:9090/a/b"}


# --- the same verdicts ---


def _told(decision: Decision) -> tuple[Any, ...]:
    """The texts of a decision, without names."""
    return (
        decision.allowed,
        sorted((finding.rule, finding.severity, finding.field) for finding in decision.findings),
        sorted(entry.subject for entry in decision.unchecked),
    )


def _decided(request: Request, cluster: list[JSONObject], definitions: Definitions, config: Configuration) -> Decision:
    complete = Extent(frozenset({("apiextensions.k8s.io", "CustomResourceDefinition")}) if cluster else frozenset())
    return decide(request, from_objects(cluster, definitions, extent=complete), config)


def _redacted(request: Request, redaction: Redaction) -> Request:
    obj, old = (redaction.redact(part) if isinstance(part, dict) else part for part in (request.object, request.old_object))
    return replace(request, object=obj, old_object=old, namespace=namespace_of(obj), name=name_of(obj))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_verdict_on_a_redacted_cluster_is_the_same(case: Case) -> None:
    config, request = case.configuration(), case.request()
    definitions = bundled_definitions(config)
    cluster = _kept([copy.deepcopy(obj) for obj in case.cluster or [] if isinstance(obj, dict)])
    before = _decided(request, cluster, definitions, config)
    if case.cluster is not None:
        assert _told(before) == _told(_decided(request, case.cluster, definitions, config)), "what is read of a cluster is kept"
    judged = [obj for obj in (request.object, request.old_object) if isinstance(obj, dict)]
    redaction = _redaction([*cluster, *judged], definitions)
    after = _decided(_redacted(request, redaction), [redaction.redact(obj) for obj in cluster], definitions, config)
    assert (_told(after) == _told(before)) is (case.id not in BY_NAME)


def test_an_example_s_verdict_on_a_redacted_cluster_is_the_same() -> None:
    for request, cluster, config in list(_examples())[: -len(CASES)]:
        definitions = bundled_definitions(config)
        kept = _kept([copy.deepcopy(obj) for obj in cluster if isinstance(obj, dict)])
        redaction = _redaction([*kept, request.object], definitions)
        before = _decided(request, kept, definitions, config)
        after = _decided(_redacted(request, redaction), [redaction.redact(obj) for obj in kept], definitions, config)
        by_name = (finding.field in ("metadata.name", "metadata.namespace") or finding.rule in RULES_BY_NAME for finding in before.findings)
        if not any(by_name):
            assert _told(after) == _told(before), request.object


def _placed(pod: JSONObject, facts: Facts) -> tuple[Any, ...]:
    """The placement of a pod, without names."""
    placement = place(pod, facts)
    reasons = sorted(re.sub(r'"[^"]*"', "NAME", ", ".join(said)) for said in placement.rejected.values())
    return len(placement.feasible), reasons, placement.reason


@pytest.mark.parametrize("name", MAKERS)
def test_a_pod_goes_where_it_goes_in_a_redacted_cluster(name: str) -> None:
    made = scenario(name, 60, seed=sum(map(ord, name)))
    objects = copy.deepcopy(made.objects)
    # The name of a claim that is created for a pod has the names of both.
    pods = [copy.deepcopy(pod) for pod in made.pods if not any("ephemeral" in volume for volume in pod["spec"].get("volumes", ()))]
    for pod in pods:
        pod["metadata"].setdefault("namespace", "default")
    redaction = Redaction([*objects, *pods])
    plain, redacted = (from_objects(found, Definitions()) for found in (objects, map(redaction.redact, objects)))
    for pod in pods:
        assert _placed(redaction.redact(pod), redacted) == _placed(pod, plain), pod
