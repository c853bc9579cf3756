"""A template asks for more GPUs than any node of the cluster has.

All GPUs of a replica are on one node. Nothing compares the number with the nodes before the pods wait for good. A node without any counts
too: one whose GPUs are partitioned has `amd.com/gpu: 0` and the partitions under a name of their own (`amd.com/cpx_nps4`), which
`resourceName` has to say; its device id is still that of the whole GPU, so the operator takes the template for available. The same goes
for a model whose custom hardware becomes templates. Where a node may come that has them, nothing is said.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36 noderesources; ROCm/k8s-device-plugin issues 128 and 157.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.facts.node import Node
from policies.families.aim.dialect import dialect_of
from policies.families.aim.resolve.asked_gpus import AskedGpus, asked_gpus
from policies.families.aim.resolve.gpus import DEVICE_ID
from policies.families.aim.resolve.template import has_gpu
from policies.families.aim.rules._examples import MAY_COME, READY
from policies.families.family import Rule
from policies.families.unschedulable import node_may_come
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    dialect, kind = dialect_of(request.gvk.group), request.gvk.kind
    if not isinstance(request.object, dict) or facts.inventory is None or not len(facts.inventory):
        return
    is_template = kind.endswith("ServiceTemplate")
    for asked in asked_gpus(request.object, kind, dialect, facts):
        nodes = asked.nodes(facts.inventory)
        richest = max(nodes, key=lambda node: node.amounts.get(asked.resource, 0), default=None)
        most = richest.amounts.get(asked.resource, 0) if richest is not None else 0
        # Where the operator finds no node with the GPU, AIM-040 and AIM-049 say so of a template.
        is_told = is_template and (richest is None or (not most and has_gpu(request.object, dialect, facts) is False))
        if most < asked.count and not is_told and not node_may_come(asked.resource, asked.count, facts, config):
            yield _finding(asked, dialect.count, richest, most)


def _finding(asked: AskedGpus, count: str, richest: Node | None, most: int) -> Finding:
    where = f"no node with {asked.model}" if asked.affinity is not None and asked.model else "no node"
    if richest is not None and most:
        return RULE.finding(
            (*asked.path, count),
            f"{asked.count} {asked.resource} for a replica, and {where} has more than {most}",
            found=str(asked.count),
            expected=f"at most {most}",
            nearest=richest.name,
        )
    if richest is None:
        message = f"no node has the GPU {asked.model}, by its label {DEVICE_ID}"
        return RULE.finding((*asked.path, "model"), message, found=asked.model, hint="ask for a GPU of the cluster")
    others = _others(richest, asked.resource)
    return RULE.finding(
        (*asked.path, "resourceName"),
        f"{where} has {asked.resource}{f'; {others}' if others else ''}",
        found=asked.resource,
        expected="a resource that some node offers",
        hint="name a resource that the nodes have, or declare the nodes that will come in expectedNodes",
    )


def _others(node: Node, resource: str) -> str:
    """What the node has of the resource's vendor under other names."""
    vendor = resource.partition("/")[0]
    found = [f"{amount} {name}" for name, amount in sorted(node.amounts.items()) if name.startswith(f"{vendor}/") and amount]
    return f"{node.name} has {', '.join(found)}" if found else ""


RULE = Rule(
    id="AIM-041",
    name="template-gpus-exceed-nodes",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMModel",
        "AIMClusterModel",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; Kubernetes v1.36 noderesources",
    reads=tuple(sorted(("Node", *MAY_COME))),
    beside=READY,
    check=_check,
    good="modelName: llama\nhardware: {gpu: {requests: 8, model: MI300X}}",
    bad="modelName: llama\nhardware: {gpu: {requests: 16, model: MI300X}}",
)
