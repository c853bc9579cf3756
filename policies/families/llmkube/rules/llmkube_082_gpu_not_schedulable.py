"""No node of the cluster could ever run the service's pods with the GPUs that they request.

The rule judges the pod that the operator will create as kube-scheduler would on an empty cluster: its resource, count, node
selector, affinity, tolerations, claims and volumes. The rule only warns if the pod fits a node that is expected
(`expectedNodes`, `expectedResources`), that a Karpenter pool or a group of Cluster API machines may add, or that existed
before. It also only warns if a node group of cluster-autoscaler or a provider's pool may add a node of unknown shape, or if the
pod fits a node that takes no pods now. A refusal ends with the entry of `expectedNodes` that would allow the service. A claim
that doesn't exist may come with another manifest, so the configuration's `references` decides whether it is an error; if a
claim isn't bound, the pods wait.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; Kubernetes v1.36, pkg/scheduler; upstream issues 78, 79, 230.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.facts.store import names_of
from weighbridge.policies.families.llmkube.predictions.storage import cache
from weighbridge.policies.families.llmkube.rulebook import PLACEMENT, NotChecked, Said, Service, Severity, Violation, with_model
from weighbridge.policies.families.llmkube.rules._claim_fields import OTHER_CACHE, field_of_claim, field_of_volumes
from weighbridge.policies.families.unschedulable import weighed
from weighbridge.policies.ground.objects import Path, name_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.spelling import close_matches, listed
from weighbridge.policies.placement.outcome import Placement, Reason
from weighbridge.policies.placement.wordings import MISMATCH, NO_ROOM, TAINTED
from weighbridge.policies.pods.workloads import without_claims


class _Cause(NamedTuple):
    """The field that should be changed first, what is wrong, and what to do."""

    path: Path
    what: str
    hint: str


_DECLARE: Final = "or declare what will come"


@with_model.error(
    topic="Services: GPUs and nodes",
    about=PLACEMENT,
    reads=tuple(sorted({"Deployment.apps", "InferenceService", "Model", "Service", *READ_BY_PLACEMENT})),
    good="accepts-gpus-that-a-node-has-for-a-service",
    bad="refuses-memory-that-no-gpu-node-has",
)
def check(service: Service) -> Said:
    if service.gpus.count <= 0 or service.deployment is None or service.deployment_refusal:
        return
    if service.facts.inventory is None:
        yield NotChecked("nothing is known of the cluster's nodes")
        return
    # The placement takes a while to import, and most services request no GPU.
    from weighbridge.policies.families.llmkube.rules._served_pod import all_fit_now, one_placed, served_pod
    from weighbridge.policies.placement.paused_nodes import paused_nodes

    placement = one_placed(service) if not all_fit_now(service) else None
    if placement is None:
        return
    yield from _of_claims(service, placement)
    hardware = placement.apart_from_claims or placement
    if not hardware.fits and hardware.reason is Reason.UNSCHEDULABLE:
        finding = _of_hardware(service, hardware)
        if finding.severity is None:
            pod, known = served_pod(service)
            usable = without_claims(pod, {*known.unknown, *placement.absent, *placement.unready})
            paused = paused_nodes(usable, known.facts, service.namespace)
            if paused:
                hint = f"only {listed(paused)} could, which {'takes' if len(paused) == 1 else 'take'} no pods now"
                finding = replace(finding, severity=Severity.WARNING, hint=hint, configuration="")
        yield finding


def _of_claims(service: Service, placement: Placement) -> Iterator[Violation]:
    """The claim for which the pods wait: one that doesn't exist, which another manifest may have, or one that isn't bound."""
    # LLMKUBE-049 is about a cache claim that doesn't exist, LLMKUBE-183 about the claim of a Model.
    others = {cache.own_claim(service.object, service.operator), service.source.claim}
    absent, severity = [name for name in placement.absent if name not in others], service.config.references.severity
    if absent and severity is not None:
        there = names_of(service.facts.objects, "", "PersistentVolumeClaim", service.namespace)
        yield Violation(
            field_of_claim(service, absent[0]),
            f'the pods wait for PersistentVolumeClaim "{absent[0]}", which isn\'t in namespace "{service.namespace}"',
            found=absent[0],
            nearest=", ".join(close_matches(absent[0], there, n=1)),
            hint="create the claim",
            severity=severity,
        )
    if placement.unready and not placement.absent:
        name, said = placement.unready[0], next(iter(placement.nearest), placement.reasons)
        hint = OTHER_CACHE if name in map(name_of, service.new_claims) else ""
        yield Violation(field_of_claim(service, name), f"the pods wait: {said}", found=name, hint=hint, severity=Severity.WARNING)


def _of_hardware(service: Service, placement: Placement) -> Violation:
    """The demand of the pods that no node of the cluster meets."""
    gpus, cause = service.gpus, _cause(service, placement)
    nearest = "; ".join(placement.nearest)
    message = f"{cause.what}: {next(iter(placement.nearest), placement.reasons)}"
    finding = Violation(cause.path, message, found=f"{gpus.count} {gpus.resource}", nearest=nearest, hint=cause.hint)
    waits = _is_about_volumes(placement) and bool(service.new_claims)
    return weighed(finding, placement, gpus.resource, gpus.count, cause.what, service.facts, service.config, waits=waits)


def _cause(service: Service, placement: Placement) -> _Cause:
    gpus, inventory = service.gpus, service.facts.inventory
    asked: Path = ("spec", "resources", "gpu") if gpus.count_from.startswith("InferenceService") else ("spec", "modelRef")
    wanted = f"{gpus.count} {gpus.resource}"
    most = inventory.offers.get(gpus.resource, 0) if inventory is not None else 0
    if most < gpus.count:
        hint = f"request at most {most}" if most else "set gpu.resourceName of the Model to a resource that the nodes offer"
        return _Cause(asked, f"no node can give a pod {wanted}", f"{hint}, {_DECLARE}")
    if MISMATCH in placement.message and service.spec.get("nodeSelector"):
        what = f"no node that it selects can give a pod {wanted}"
        return _Cause(("spec", "nodeSelector"), what, f"select nodes with {gpus.resource}, {_DECLARE}")
    if TAINTED in placement.message:
        what = f"the pods don't tolerate the taints of the nodes with {wanted}"
        return _Cause(("spec", "tolerations"), what, "add the toleration if these nodes are meant for it")
    if _is_about_volumes(placement):
        path, hint = field_of_volumes(service)
        return _Cause(path, f"no node with {wanted} can mount the volumes of the pods", hint)
    return _Cause(asked, f"no node with {wanted} can run the pods", "")


def _is_about_volumes(placement: Placement) -> bool:
    return "volume" in placement.message.lower() or NO_ROOM in placement.message
