"""No node of the cluster could ever run the service's pods with the GPUs that they ask for.

Judged is the pod that the operator will make, by the rules of kube-scheduler on an empty cluster: its resource, count, node
selector, affinity, tolerations, claims and volumes. Where an expected node (`expectedNodes`, `expectedResources`), an autoscaler's
pool or a node that takes no pods just now would do, this only warns.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; Kubernetes v1.36, pkg/scheduler; upstream issues 78, 79, 230.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.expected import nodes_of_pools
from policies.families.family import Rule
from policies.families.llmkube.served_pod import fits_now, held_back, served_pod
from policies.families.llmkube.serving import Serving, serving_of
from policies.findings import Finding, Severity, Unchecked
from policies.objects import Path
from policies.placement import Placement, Reason, place
from policies.request import Request


def _cause(serving: Serving, placement: Placement) -> tuple[Path, str]:
    """The field to change first, and what is wrong with it."""
    gpus, inventory = serving.gpus, serving.facts.inventory
    asked: Path = ("spec", "resources", "gpu") if gpus.count_from.startswith("InferenceService") else ("spec", "modelRef")
    most = inventory.offers.get(gpus.resource, 0) if inventory is not None else 0
    if most < gpus.count:
        having = f"the largest node has {most}" if most else "no node has any"
        return asked, f"no node can give a pod {gpus.count} {gpus.resource}: {having}"
    if "affinity/selector" in placement.message and serving.spec.get("nodeSelector"):
        return ("spec", "nodeSelector"), f"no node that it selects can give a pod {gpus.count} {gpus.resource}"
    if "untolerated taint" in placement.message:
        return ("spec", "tolerations"), f"the nodes with {gpus.count} {gpus.resource} have taints that the pods don't tolerate"
    return asked, f"no node with {gpus.count} {gpus.resource} can run the pods"


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    gpus = serving.gpus
    if serving.pod_model is None or gpus.count <= 0 or serving.deployment is None or serving.deployment_refusal:
        return
    if facts.inventory is None:
        yield RULE.unchecked("nothing is known of the cluster's nodes")
        return
    pod = served_pod(serving)
    if fits_now(pod, facts, serving.namespace):
        return
    expected = [*config.declared_nodes, *nodes_of_pools(facts.objects, pod)]
    placement = place(pod, facts, namespace=serving.namespace, expected=expected)
    if placement.fits or placement.reason is not Reason.UNSCHEDULABLE:
        return
    path, what = _cause(serving, placement)
    later = list(placement.on_expected)
    if not later and config.expected_resources.get(gpus.resource, 0) >= gpus.count:
        later = ["nodes that expectedResources declares"]
    paused = [] if later else held_back(pod, facts, serving.namespace)
    finding = RULE.finding(path, what, found=f"{gpus.count} {gpus.resource}", nearest="; ".join(placement.nearest), hint=placement.message)
    if later or paused:
        hint = (
            f"not there now, but {' and '.join(later)} could run them"
            if later
            else f"only {', '.join(paused)} could, which takes no pods now"
        )
        finding = replace(finding, severity=Severity.WARNING, hint=hint)
    yield finding


RULE = Rule(
    id="LLMKUBE-082",
    name="gpu-not-schedulable",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    reads=("Model", "Node", "PersistentVolume", "PersistentVolumeClaim"),
    beside=(
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: gguf, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 1}}}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: rare, namespace: default}\n"
        "spec: {source: https://example.com/m.gguf, hardware: {gpu: {count: 1, resourceName: example.com/gpu}}}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: Node\n"
        "metadata: {name: a100-1}\n"
        "status: {allocatable: {nvidia.com/gpu: '8', cpu: '32', memory: 256Gi, pods: '110'}}"
    ),
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: rare",
)
