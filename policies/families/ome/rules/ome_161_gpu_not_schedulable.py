"""No node of the cluster could ever run a component's pods with the GPUs that they request.

The rule judges the pods that OME creates from runtime, accelerator class and service as kube-scheduler would on an empty cluster: their
GPUs, node selector, affinity and tolerations. It doesn't matter which nodes have the model now, because OME's agent fetches it to the
nodes that `storage` of the model selects. The API server stores the service, but its pods stay Pending, and no condition of the service
shows it. Choose a runtime or a class for GPUs that the cluster has.

The rule only warns if a suitable node is expected (`expectedNodes`, `expectedResources`), if an autoscaler may add one, or if a
suitable node takes no pods now. A refusal ends with the entry of `expectedNodes` that would allow the service.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/base.go; Kubernetes v1.36, pkg/scheduler; upstream issues 319, 622.
"""

from typing import NamedTuple

from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.ome.predictions.merge.created_objects import workloads_of
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import placeable, wherever_it_comes
from weighbridge.policies.families.ome.rulebook import PLACEMENT, WORKLOAD_READS, Given, NotChecked, Said, Service, Violation, services
from weighbridge.policies.families.ome.subject.gpu_pods import GpuPod, gpu_pods
from weighbridge.policies.families.unschedulable import weighed
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.placement.outcome import Placement, Reason
from weighbridge.policies.placement.wordings import MISMATCH, TAINTED


class _Cause(NamedTuple):
    """The field that should be changed first, what is wrong, and what to do."""

    path: Path
    what: str
    hint: str


@services.error(
    about=PLACEMENT,
    reads=tuple(sorted({*WORKLOAD_READS, *READ_BY_PLACEMENT})),
    good="accepts-gpus-that-a-node-has-for-an-engine",
    bad="warns-of-gpus-on-a-cordoned-node",
)
def check(service: Service, given: Given) -> Said:
    made, model = workloads_of(*given), service.model
    if made is None or made.failure or model is None:
        return
    unknown = next((choice.unknown for choice in service.classes.values() if choice.unknown), "")
    if unknown:
        # A class decides how many GPUs there are, and on which nodes.
        yield NotChecked(unknown)
        return
    if not any(gpu_pods(made.objects)):
        return
    if given.facts.inventory is None:
        yield NotChecked("nothing is known of the cluster's nodes")
        return
    # The placement takes a while to import, and most services fit.
    from weighbridge.policies.placement.request_pods import fits_now

    if fits_now(given.request, placeable(made.objects, model, given.facts), given.facts, given.config):
        return
    for pod in gpu_pods(wherever_it_comes(made.objects, model)):
        violation = _of_pod(pod, service)
        if violation is not None:
            yield violation


def _of_pod(pod: GpuPod, service: Service) -> Violation | None:
    """Why no node runs a pod; `None` if some node does."""
    from weighbridge.policies.placement.paused_nodes import paused_nodes
    from weighbridge.policies.placement.request_pods import with_claims
    from weighbridge.policies.pods.workloads import without_claims

    facts, config, namespace = service.facts, service.config, service.namespace
    known = with_claims([pod.pod], [], facts, namespace)
    placed = known.place(pod.pod, namespace, config)
    placement = placed.apart_from_claims or placed
    if placement.fits or placement.reason is not Reason.UNSCHEDULABLE:
        return None
    cause = _cause(pod, service, placement)
    message = f"{pod.title}: {cause.what}: {next(iter(placement.nearest), placement.reasons)}"
    path: Path = ("spec", "predictor") if service.is_migrated and cause.path[1] == "engine" else cause.path
    nearest = "; ".join(placement.nearest)
    found = Violation(path, message, found=f"{pod.count} {pod.resource}", nearest=nearest, hint=cause.hint)
    found = weighed(found, placement, pod.resource, pod.count, f"{pod.title}: {cause.what}", facts, config)
    if found.severity is None:
        usable = without_claims(pod.pod, {*known.unknown, *placement.absent, *placement.unready})
        if paused := paused_nodes(usable, known.facts, namespace):
            hint = f"only {listed(paused)} could, which {'takes' if len(paused) == 1 else 'take'} no pods now"
            return replace(found, severity=Severity.WARNING, hint=hint, configuration="")
    return found


def _cause(pod: GpuPod, service: Service, placement: Placement) -> _Cause:
    wanted, inventory = f"{pod.count} {pod.resource}", service.facts.inventory
    most = inventory.offers.get(pod.resource, 0) if inventory is not None else 0
    own = part(service.stored, *pod.spec_path)
    if most < pod.count:
        hint = f"use a runtime or a class for at most {most}" if most else "use a runtime or a class for GPUs that the nodes offer"
        return _Cause(_of_amount(pod, own, service), f"no node can give a pod {wanted}", f"{hint}, or declare what will come")
    if MISMATCH in placement.message:
        what = f"no node that it selects can give a pod {wanted}"
        return _Cause(_of_selection(pod, own, service), what, f"select nodes with {pod.resource}, or declare what will come")
    if TAINTED in placement.message:
        what = f"the pods don't tolerate the taints of the nodes with {wanted}"
        hint = "add the toleration, with those of the runtime, if these nodes are meant for it"
        return _Cause((*pod.spec_path, "tolerations"), what, hint)
    return _Cause(pod.spec_path, f"no node with {wanted} can run the pods", "")


def _of_amount(pod: GpuPod, own: JSONObject, service: Service) -> Path:
    """The field that decides the number of GPUs: in the service's own runner, else the one that chose the class, else the component."""
    if part(own, "runner").get("resources"):
        return (*pod.spec_path, "runner", "resources")
    return _of_class(pod, service)


def _of_selection(pod: GpuPod, own: JSONObject, service: Service) -> Path:
    """The field that decides the nodes: in the service's own pod, else the one that chose the class, else the component."""
    return (*pod.spec_path, "nodeSelector") if text_map(own, "nodeSelector") else _of_class(pod, service)


def _of_class(pod: GpuPod, service: Service) -> Path:
    """The field that chose the accelerator class, else the component."""
    choice = service.classes.get(pod.component)
    return choice.path if choice is not None and choice.accelerator is not None else ("spec", pod.component)
