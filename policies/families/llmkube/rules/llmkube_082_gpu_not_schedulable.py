"""No node of the cluster could ever run the service's pods with the GPUs that they ask for.

Judged is the pod that the operator will make, by the rules of kube-scheduler on an empty cluster: its resource, count, node
selector, affinity, tolerations, claims and volumes. Where an expected node (`expectedNodes`, `expectedResources`), an autoscaler's
pool or a node that takes no pods just now would do, this only warns.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; Kubernetes v1.36, pkg/scheduler; upstream issues 78, 79, 230.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.expected import nodes_of_pools
from policies.facts.kinds import READ_BY_PLACEMENT
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import Serving, serving_of
from policies.findings import Finding, Severity, Unchecked
from policies.objects import Path
from policies.placement.outcome import Placement, Reason
from policies.request import Request


class _Cause(NamedTuple):
    """The field to change first, what is wrong, and what to do."""

    path: Path
    what: str
    hint: str


_DECLARE: Final = "or declare what will come in expectedNodes"


def _cause(serving: Serving, placement: Placement) -> _Cause:
    gpus, inventory = serving.gpus, serving.facts.inventory
    asked: Path = ("spec", "resources", "gpu") if gpus.count_from.startswith("InferenceService") else ("spec", "modelRef")
    wanted = f"{gpus.count} {gpus.resource}"
    most = inventory.offers.get(gpus.resource, 0) if inventory is not None else 0
    if most < gpus.count:
        hint = f"ask for at most {most}" if most else "set gpu.resourceName of the Model to a resource that the nodes offer"
        return _Cause(asked, f"no node can give a pod {wanted}", f"{hint}, {_DECLARE}")
    if "affinity/selector" in placement.message and serving.spec.get("nodeSelector"):
        return _Cause(
            ("spec", "nodeSelector"), f"no node that it selects can give a pod {wanted}", f"select nodes with {gpus.resource}, {_DECLARE}"
        )
    if "untolerated taint" in placement.message:
        what = f"the pods don't tolerate the taints of the nodes with {wanted}"
        return _Cause(("spec", "tolerations"), what, "add the toleration if these nodes are meant for it")
    if "volume" in placement.message.lower():
        what = f"no node with {wanted} can mount the volumes of the pods"
        return _Cause(("spec", "modelCache"), what, "use a cache that these nodes reach: modelCache.claimName, or persistence Ephemeral")
    return _Cause(asked, f"no node with {wanted} can run the pods", "")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    gpus = serving.gpus
    if serving.pod_model is None or gpus.count <= 0 or serving.deployment is None or serving.deployment_refusal:
        return
    if facts.inventory is None:
        yield RULE.unchecked("nothing is known of the cluster's nodes")
        return
    # Placing takes a while to import, and most who come here ask for no GPU.
    from policies.families.llmkube.subject.served_pod import fits_now, served_pod
    from policies.placement.paused_nodes import paused_nodes
    from policies.placement.placement import place

    pod = served_pod(serving)
    if fits_now(serving, pod):
        return
    expected = [*config.declared_nodes, *nodes_of_pools(facts.objects, pod)]
    placement = place(pod, facts, namespace=serving.namespace, expected=expected)
    if placement.fits or placement.reason is not Reason.UNSCHEDULABLE:
        return
    cause = _cause(serving, placement)
    later = list(placement.on_expected)
    if not later and config.expected_resources.get(gpus.resource, 0) >= gpus.count:
        later = ["nodes that expectedResources declares"]
    paused = [] if later else paused_nodes(pod, facts, serving.namespace)
    nearest = "; ".join(placement.nearest)
    message = f"{cause.what}: {next(iter(placement.nearest), placement.message)}"
    finding = RULE.finding(cause.path, message, found=f"{gpus.count} {gpus.resource}", nearest=nearest, hint=cause.hint)
    if later:
        finding = replace(finding, severity=Severity.WARNING, hint=f"not there now, but {' and '.join(later)} could run them")
    elif paused:
        finding = replace(finding, severity=Severity.WARNING, hint=f"only {', '.join(paused)} could, which takes no pods now")
    elif "unbound" in placement.message:
        finding = replace(finding, severity=Severity.WARNING, hint="the pods wait for their claims to be bound")
    yield finding


RULE = Rule(
    id="LLMKUBE-082",
    name="gpu-not-schedulable",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 pkg/apiutil/gpu.go",
    reads=tuple(sorted({"Deployment.apps", "InferenceService", "Model", "Service", *READ_BY_PLACEMENT})),
    beside=(
        f"{GGUF_MODEL}\n"
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
