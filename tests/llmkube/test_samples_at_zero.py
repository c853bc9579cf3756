"""Upstream's own manifests on clusters whose GPU pools are scaled to zero: none is refused if something may add the nodes."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml

from tests.conftest import SHARED
from tests.facts.test_autoscaler_status import TEXT, YAML, deployment, status
from tests.facts.test_expected_nodes import group
from tests.llmkube.corpus import Sample, is_judged, samples
from tests.placement.clusters import node
from tests.yaml_documents import read
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.autoscaling.status import NodeGroup, status_text
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.kinds import PLACEMENT_KINDS
from weighbridge.policies.families.configuration import parse
from weighbridge.policies.ground.findings import Decision, Severity
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="upstream's manifests aren't next to the checkout")

EKS, GKE = "eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool"
KNOWN = frozenset(kind.known_as for kind in PLACEMENT_KINDS)
GONE = node("gpu-7", {"nvidia.com/gpu": "8", "amd.com/gpu": "8", "devic.es/dri-render": "8"}, labels={GKE: "gpu-pool", EKS: "gpu-spot"})
CLUSTERS: dict[str, tuple[list[JSONObject], Extent]] = {
    "a status in YAML": ([node("cpu"), status(YAML)], Extent(KNOWN)),
    "a status for people": ([node("cpu"), status(TEXT.replace("Backoff", "NoActivity"))], Extent(KNOWN)),
    "groups that a flag names": ([node("cpu"), deployment("cluster-autoscaler", "--nodes=0:4:gpus")], Extent(KNOWN)),
    "groups that are found": ([node("cpu"), deployment("cluster-autoscaler", "--node-group-auto-discovery=asg:tag=a")], Extent(KNOWN)),
    "pools of EKS": ([node("cpu", labels={EKS: "cpus"})], Extent(KNOWN)),
    "pools of GKE": ([node("cpu", labels={GKE: "cpus"}), status(status_text([NodeGroup("gke-c-cpus-1-grp", 1, 3)]))], Extent(KNOWN)),
}
GPU_SAMPLES = [sample for sample in samples() if is_judged(sample) and sample.object["kind"] in {"Model", "InferenceService"}]


def _selecting_eks(sample: Sample) -> Sample:
    """The sample for GKE's spot nodes in the form of the guide for EKS."""
    documents = read(yaml.safe_dump(list(sample.beside)).replace(GKE, EKS).replace("gpu-pool", "gpu-spot"))
    obj = next(found for found in documents if found["kind"] == sample.object["kind"] and name_of(found) == name_of(sample.object))
    return Sample(sample.file, obj, tuple(documents))


def facts_of(sample: Sample, cluster: list[JSONObject], extent: Extent) -> Facts:
    classes = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": f"llmkube-{name}"}, "value": 1}
        for name in ("critical", "high", "normal", "low", "batch")
    ]
    return from_objects(copy.deepcopy([*cluster, *classes]), bundled_definitions(), beside=sample.beside, extent=extent)


def judged(sample: Sample, facts: Facts, config: Any = DEFAULT) -> Decision:
    return decide(sample.request(facts), facts, config)


def refusals(decision: Decision) -> list[str]:
    return [str(finding) for finding in decision.findings if finding.severity is Severity.ERROR]


SPOT = [sample for sample in GPU_SAMPLES if sample.file.name == "multi-gpu-gke-spot.yaml"]


@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("sample", [*GPU_SAMPLES, *map(_selecting_eks, SPOT)], ids=lambda sample: sample.id)
def test_no_sample_is_refused_where_something_may_bring_its_nodes(sample: Sample, cluster: str) -> None:
    assert refusals(judged(sample, facts_of(sample, *CLUSTERS[cluster]))) == []


@pytest.mark.parametrize("sample", [*SPOT, *map(_selecting_eks, SPOT)], ids=lambda sample: sample.id)
def test_a_pool_whose_nodes_were_there_before_may_come_back(sample: Sample) -> None:
    facts = facts_of(sample, [node("cpu")], Extent(KNOWN, former=(GONE,)))
    decision = judged(sample, facts)
    assert refusals(decision) == []
    assert "gpu-7" in str([finding.hint for finding in decision.findings])


@pytest.mark.parametrize("sample", [*SPOT, *map(_selecting_eks, SPOT)], ids=lambda sample: sample.id)
def test_where_nothing_scales_the_refusal_tells_what_to_declare(sample: Sample) -> None:
    facts = facts_of(sample, [node("cpu")], Extent(KNOWN))
    decision = judged(sample, facts)
    assert len(refusals(decision)) == 1
    entry = read(decision.message[decision.message.index("expectedNodes: ") :])
    assert refusals(judged(sample, facts, parse(entry))) == []


def test_a_cluster_of_machines_that_brings_too_few_gpus_is_no_prospect() -> None:
    machines = group(cpu="8", memory="64Gi", gpu_type="nvidia.com/gpu", gpu_count="1")
    model = next(sample for sample in SPOT if sample.object["kind"] == "Model")
    assert len(refusals(judged(model, facts_of(model, [node("cpu"), machines], Extent(KNOWN))))) == 1
