"""No node of the cluster offers the GPU resource that the pod will request, or no node has enough of it.

Upstream stores such a Model and only sets `status.acceleratorReady` to false; the pods stay Pending for ever. The pod
requests `gpu.resourceName`, or the resource that the operator derives from vendor and runtime. The rule only warns if an
autoscaler may add such a node: a Karpenter pool or a group of Cluster API machines that has such GPUs, a node group of
cluster-autoscaler or a provider's pool that has no node now, or a pool that had such nodes before. Declare other hardware
that will come in the configuration's `expectedNodes` or `expectedResources`; the refusal ends with the entry to add. The
rule also only warns if all such nodes are cordoned or not ready, or if nodes offer NVIDIA GPUs as MIG partitions, which a
service requests itself.

Source: LLMKube v0.9.19, pkg/apiutil/gpu.go; upstream issues 78, 79, 230.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weighbridge.policies.config.expected import entry_text
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.rulebook import Model, NotChecked, Said, Severity, Violation, listed, models, similar
from weighbridge.policies.families.llmkube.subject.gpu import KNOWN_RESOURCES, GpuRequest, gpu_request
from weighbridge.policies.ground.records import replace

if TYPE_CHECKING:
    from weighbridge.policies.facts import Inventory

_MIG: Final = "nvidia.com/mig-"


@models.error(
    topic="Models: GPUs and their memory",
    reads=(
        "ConfigMap/cluster-autoscaler-status",
        "Deployment.apps",
        "MachineDeployment.cluster.x-k8s.io",
        "MachinePool.cluster.x-k8s.io",
        "MachineSet.cluster.x-k8s.io",
        "Node",
        "NodePool.karpenter.sh",
    ),
    good="accepts-gpus-that-a-node-has",
    bad="names-the-product-of-the-largest-node",
)
def check(model: Model) -> Said:
    gpu, inventory, config = gpu_request(model.object, model.operator), model.facts.inventory, model.config
    if not gpu.wanted or gpu.count <= 0:
        return
    if inventory is None:
        yield NotChecked("nothing is known of the cluster's nodes")
        return
    most = inventory.offers.get(gpu.resource, 0)
    if most >= gpu.count:
        return
    # Most Models request GPUs that the cluster has, so the rest is rarely needed.
    from weighbridge.policies.families.unschedulable import most_expected
    from weighbridge.policies.placement.extenders import left_to_extender

    if left_to_extender([gpu.resource], model.facts):
        yield NotChecked(f"HAMi's scheduler decides about {gpu.resource}")
        return
    finding = _too_few(gpu, most, inventory, model.facts)
    held_back = inventory.held_back.get(gpu.resource, 0) >= gpu.count
    if held_back:
        names = listed([node.name for node in inventory.nodes_with(gpu.resource) if not node.takes_pods])
        finding = replace(finding, message=f"the nodes with {gpu.count} {gpu.resource} take no pods now: {names}", nearest="")
    pools, partitions = _described(gpu, model.facts), _partitions(gpu, model.operator, inventory)
    if pools:
        finding = replace(finding, hint=f"no such node is there now, but {' and '.join(pools)} may bring one")
    elif partitions:
        finding = replace(finding, hint=f"only services with resources.gpuSharing.mode partitioned can run, on {listed(partitions)}")
    if held_back or pools or partitions or most_expected(gpu.resource, model.facts, config) >= gpu.count:
        yield replace(finding, severity=Severity.WARNING)
        return
    entry = entry_text(f"{gpu.resource.rpartition('/')[2]}-node", {}, {gpu.resource: gpu.count}, config.expected_nodes)
    finding = replace(finding, configuration=entry)
    from weighbridge.policies.facts.autoscaling.prospects import prospects

    unknown = prospects(model.facts)
    if unknown:
        message = f"no node has {gpu.count} {gpu.resource} now; {' and '.join(unknown)} may bring one"
        finding = replace(finding, severity=Severity.WARNING, message=message, hint="")
    yield finding


def _too_few(gpu: GpuRequest, most: int, inventory: Inventory, facts: Facts) -> Violation:
    from weighbridge.policies.facts.autoscaling.prospects import groups_in_backoff

    wanted, declare = f"{gpu.count} {gpu.resource}", "declare the nodes that will come"
    change = "set gpu.resourceName to a resource that the nodes offer"
    return Violation(
        ("spec", "hardware", "gpu", "count" if most else "resourceName" if gpu.resource_name else "vendor"),
        f"the pod needs {wanted} on one node, and the largest node has {most}" if most else f"no node has {gpu.resource}",
        found=wanted,
        expected=f"at most {most}" if most else "a resource that some node offers",
        nearest=_nearest(gpu, inventory),
        hint="; ".join([f"{change}, or {declare}", *_too_small(gpu, facts), *groups_in_backoff(facts)]),
    )


def _described(gpu: GpuRequest, facts: Facts) -> list[str]:
    """The nodes with enough GPUs that pools declare, and those that existed before."""
    from weighbridge.policies.facts.autoscaling.limits import with_what_is_left
    from weighbridge.policies.facts.expected import nodes_to_come

    names = (node.name for node in nodes_to_come(facts) if node.amounts.get(gpu.resource, 0) >= gpu.count)
    return with_what_is_left(names, {gpu.resource: gpu.count}, facts.objects)


def _too_small(gpu: GpuRequest, facts: Facts) -> list[str]:
    """The pools whose nodes have such GPUs, but too few of them."""
    from weighbridge.policies.facts.expected import nodes_to_come

    most = {node.name: node.amounts[gpu.resource] for node in nodes_to_come(facts) if node.amounts.get(gpu.resource, 0) > 0}
    return [f"{name} brings at most {count}" for name, count in most.items()]


def _partitions(gpu: GpuRequest, operator: KnownOperator, inventory: Inventory) -> list[str]:
    """The MIG partitions that a service of the Model could run on."""
    divisible = gpu.vendor == "nvidia" and not gpu.resource_name and gpu.count == 1 and operator.since(0, 9, 9)
    return [name for name in sorted(inventory.offers) if name.startswith(_MIG)] if divisible else []


def _nearest(gpu: GpuRequest, inventory: Inventory) -> str:
    """The nearest resources that nodes offer: other ones of the vendor, else ones with a similar name, else any."""
    offers = inventory.offers
    alike = [found] if (found := similar(gpu.resource, offers)) else []
    names = [name for name in KNOWN_RESOURCES.get(gpu.vendor, ()) if name in offers] or alike or sorted(offers)[:3]
    parts = []
    for name in names:
        node = inventory.richest(name)
        if node is not None:
            parts.append(f"node {node.name} has {node.amounts[name]} {name}{node.product_note(name)}")
    return ", ".join(parts) or "no node offers any extended resource"
