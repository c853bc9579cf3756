"""No node of the cluster could ever run the service's pods with the GPUs that they ask for.

Judged is the pod that the operator will make, by the rules of kube-scheduler on an empty cluster: its resource, count, node
selector, affinity, tolerations, claims and volumes. This only warns where a node would do that is expected (`expectedNodes`,
`expectedResources`), that a pool of Karpenter's or of Cluster API machines brings, or that was there before; where a node group
of cluster-autoscaler or a pool of a provider may bring one of which nobody knows what it is like; and where a node would do
that takes no pods just now. A refusal ends with the entry of `expectedNodes` that would allow it. A claim that isn't there may
come with another manifest, so the configuration's `references` decides; for claims that aren't bound the pods wait.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; Kubernetes v1.36, pkg/scheduler; upstream issues 78, 79, 230.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts.kinds import READ_BY_PLACEMENT
from weighbridge.policies.families.llmkube.predictions.storage import cache
from weighbridge.policies.families.llmkube.rulebook import PLACEMENT, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.llmkube.subject.claim_fields import OTHER_CACHE, field_of_claim, field_of_volumes
from weighbridge.policies.families.unschedulable import weighed
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import Path, name_of
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.placement.outcome import NO_ROOM, Placement, Reason
from weighbridge.policies.pods.workloads import without_claims


class _Cause(NamedTuple):
    """The field to change first, what is wrong, and what to do."""

    path: Path
    what: str
    hint: str


_DECLARE: Final = "or declare what will come"


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
    if _is_about_volumes(placement):
        path, hint = field_of_volumes(serving)
        return _Cause(path, f"no node with {wanted} can mount the volumes of the pods", hint)
    return _Cause(asked, f"no node with {wanted} can run the pods", "")


def _is_about_volumes(placement: Placement) -> bool:
    return "volume" in placement.message.lower() or NO_ROOM in placement.message


@services.error(
    about=PLACEMENT,
    reads=tuple(sorted({"Deployment.apps", "InferenceService", "Model", "Service", *READ_BY_PLACEMENT})),
    good="accepts-gpus-that-a-node-has-for-a-service",
    bad="refuses-memory-that-no-gpu-node-has",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.pod_model is None or serving.gpus.count <= 0 or serving.deployment is None or serving.deployment_refusal:
        return
    if given.facts.inventory is None:
        yield NotChecked("nothing is known of the cluster's nodes")
        return
    # Placing takes a while to import, and most who come here ask for no GPU.
    from weighbridge.policies.families.llmkube.subject.served_pod import fits_now, served_pod
    from weighbridge.policies.placement.paused_nodes import paused_nodes

    pod, known = served_pod(serving)
    if fits_now(serving, pod, known):
        return
    placement = known.place(pod, serving.namespace, given.config)
    yield from _of_claims(serving, placement, given.config)
    hardware = placement.apart_from_claims or placement
    if not hardware.fits and hardware.reason is Reason.UNSCHEDULABLE:
        finding = _of_hardware(serving, hardware, given.config)
        if finding.severity is None:
            usable = without_claims(pod, {*known.unknown, *placement.absent, *placement.unready})
            paused = paused_nodes(usable, known.facts, serving.namespace)
            if paused:
                hint = f"only {listed(paused)} could, which {'takes' if len(paused) == 1 else 'take'} no pods now"
                finding = replace(finding, severity=Severity.WARNING, hint=hint, configuration="")
        yield finding


def _of_claims(serving: Serving, placement: Placement, config: Configuration) -> Iterator[Violation]:
    """What keeps the pods from being looked at: a claim that isn't there, which another manifest may bring, or one that isn't bound."""
    # Of a cache that its author names and that isn't there, LLMKUBE-049 speaks, and of the Model's own claim LLMKUBE-183.
    others = {cache.own_claim(serving.service, serving.operator), serving.source.claim}
    absent = [name for name in placement.absent if name not in others]
    if absent and config.references.severity is not None:
        there = map(name_of, serving.facts.objects.list("", "PersistentVolumeClaim", serving.namespace))
        finding = Violation(
            field_of_claim(serving, absent[0]),
            f'the pods wait for PersistentVolumeClaim "{absent[0]}", which isn\'t in namespace "{serving.namespace}"',
            found=absent[0],
            nearest=", ".join(difflib.get_close_matches(absent[0], there, n=1)),
            hint="create the claim",
        )
        yield replace(finding, severity=config.references.severity)
    if placement.unready and not placement.absent:
        name, said = placement.unready[0], next(iter(placement.nearest), placement.reasons)
        hint = OTHER_CACHE if name in map(name_of, serving.new_claims) else ""
        finding = Violation(field_of_claim(serving, name), f"the pods wait: {said}", found=name, hint=hint)
        yield replace(finding, severity=Severity.WARNING)


def _of_hardware(serving: Serving, placement: Placement, config: Configuration) -> Violation:
    """What no node of the cluster does for the pods."""
    gpus, cause = serving.gpus, _cause(serving, placement)
    nearest = "; ".join(placement.nearest)
    message = f"{cause.what}: {next(iter(placement.nearest), placement.reasons)}"
    finding = Violation(cause.path, message, found=f"{gpus.count} {gpus.resource}", nearest=nearest, hint=cause.hint)
    waits = _is_about_volumes(placement) and bool(serving.new_claims)
    return weighed(finding, placement, gpus.resource, gpus.count, cause.what, serving.facts, config, waits=waits)
