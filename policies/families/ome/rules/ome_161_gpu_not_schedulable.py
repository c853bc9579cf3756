"""No node of the cluster could ever run a component's pods with the GPUs that they ask for.

Judged are the pods that OME makes once runtime, accelerator class and service are merged, by the rules of kube-scheduler on an empty
cluster: their GPUs, node selector, affinity and tolerations. On which nodes the model lies doesn't count, since OME's agent still fetches
it onto the nodes that `storage` of the model selects. The service is stored all the same, and its pods stay Pending without any condition
on it. Choose a runtime or a class for GPUs that the cluster has.

This only warns where a node would do that is expected (`expectedNodes`, `expectedResources`), or that an autoscaler may bring, and where a
node would do that takes no pods just now. A refusal ends with the entry of `expectedNodes` that would allow it.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/base.go; Kubernetes v1.36 pkg/scheduler; upstream issues 319, 622.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.ome.predictions.merge.created_objects import made_of
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import placeable, wherever_it_comes
from weighbridge.policies.families.ome.rulebook import PLACEMENT, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.gpu_pods import GpuPod, gpu_pods
from weighbridge.policies.families.ome.subject.service import Serving, serving_of
from weighbridge.policies.families.unschedulable import weighed
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.placement.outcome import Placement, Reason


class _Cause(NamedTuple):
    """The field to change first, what is wrong, and what to do."""

    path: Path
    what: str
    hint: str


_NODES: Final = """\
---
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
status: {allocatable: {cpu: "32", memory: 256Gi, pods: "110", nvidia.com/gpu: "4"}}
---
apiVersion: ome.io/v1beta1
kind: AcceleratorClass
metadata: {name: nvidia-h100}
spec: {discovery: {}, capabilities: {}}
"""


@objects.error(
    kinds=("InferenceService",),
    about=PLACEMENT,
    reads=tuple(sorted({*CLASS_READS, "FineTunedWeight", *READ_BY_PLACEMENT})),
    good="accepts-gpus-that-a-node-has-for-an-engine",
    bad="warns-of-gpus-on-a-cordoned-node",
)
def check(given: Given) -> Said:
    serving, made = serving_of(*given), made_of(*given)
    model = serving.model.model if serving is not None else None
    if serving is None or made is None or made.failure or model is None:
        return
    unknown = next((choice.unknown for choice in serving.classes.values() if choice.unknown), "")
    if unknown:
        # A class says how many GPUs there are, and where.
        yield NotChecked(unknown)
        return
    if not any(gpu_pods(made.objects)):
        return
    if given.facts.inventory is None:
        yield NotChecked("nothing is known of the cluster's nodes")
        return
    # Placing takes a while to import, and most services fit.
    from weighbridge.policies.placement.request_pods import fits_now

    if fits_now(given.request, placeable(made.objects, model, given.facts), given.facts):
        return
    for found in gpu_pods(wherever_it_comes(made.objects, model)):
        finding = _of_pod(found, serving, given.facts, given.config)
        if finding is not None:
            yield finding


def _of_pod(found: GpuPod, serving: Serving, facts: Facts, config: Configuration) -> Violation | None:
    """What no node does for a pod; `None` where some node does it."""
    from weighbridge.policies.placement.paused_nodes import paused_nodes
    from weighbridge.policies.placement.request_pods import with_claims
    from weighbridge.policies.pods.workloads import without_claims

    known = with_claims([found.pod], [], facts, serving.namespace)
    placed = known.place(found.pod, serving.namespace, config)
    placement = placed.apart_from_claims or placed
    if placement.fits or placement.reason is not Reason.UNSCHEDULABLE:
        return None
    cause = _cause(found, serving, placement)
    nearest = "; ".join(placement.nearest)
    message = f"{found.title}: {cause.what}: {next(iter(placement.nearest), placement.reasons)}"
    path: Path = ("spec", "predictor") if serving.is_migrated and cause.path[1] == "engine" else cause.path
    finding = Violation(path, message, found=f"{found.count} {found.resource}", nearest=nearest, hint=cause.hint)
    finding = weighed(finding, placement, found.resource, found.count, f"{found.title}: {cause.what}", facts, config)
    if finding.severity is None:
        usable = without_claims(found.pod, {*known.unknown, *placement.absent, *placement.unready})
        if paused := paused_nodes(usable, known.facts, serving.namespace):
            hint = f"only {listed(paused)} could, which {'takes' if len(paused) == 1 else 'take'} no pods now"
            return replace(finding, severity=Severity.WARNING, hint=hint, configuration="")
    return finding


def _cause(found: GpuPod, serving: Serving, placement: Placement) -> _Cause:
    wanted, inventory = f"{found.count} {found.resource}", serving.facts.inventory
    most = inventory.offers.get(found.resource, 0) if inventory is not None else 0
    own = part(serving.stored, *found.spec_path)
    if most < found.count:
        hint = f"use a runtime or a class for at most {most}" if most else "use a runtime or a class for GPUs that the nodes offer"
        return _Cause(_of_amount(found, own, serving), f"no node can give a pod {wanted}", f"{hint}, or declare what will come")
    if "affinity/selector" in placement.message:
        what = f"no node that it selects can give a pod {wanted}"
        return _Cause(_of_selection(found, own, serving), what, f"select nodes with {found.resource}, or declare what will come")
    if "untolerated taint" in placement.message:
        what = f"the pods don't tolerate the taints of the nodes with {wanted}"
        hint = "add the toleration, with those of the runtime, if these nodes are meant for it"
        return _Cause((*found.spec_path, "tolerations"), what, hint)
    return _Cause(found.spec_path, f"no node with {wanted} can run the pods", "")


def _of_amount(found: GpuPod, own: JSONObject, serving: Serving) -> Path:
    """The field that says how many GPUs: of the service's own runner, else the one that chose the class, else the component."""
    runner: Path = (*found.spec_path, "runner", "resources")
    if part(own, "runner").get("resources"):
        return runner
    return _of_class(found, serving) or ("spec", found.component)


def _of_selection(found: GpuPod, own: JSONObject, serving: Serving) -> Path:
    if text_map(own, "nodeSelector"):
        return (*found.spec_path, "nodeSelector")
    return _of_class(found, serving) or ("spec", found.component)


def _of_class(found: GpuPod, serving: Serving) -> Path:
    """The field that chose the accelerator class; empty where there is none."""
    choice = serving.classes.get(found.component)
    return choice.path if choice is not None and choice.accelerator is not None else ()
