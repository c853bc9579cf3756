"""A template requests more GPUs than any node of the cluster has.

All GPUs of a replica are on one node. The operator doesn't compare the number with the nodes, so the pods wait for ever. A node with
partitioned GPUs has `amd.com/gpu: 0`, and the partitions as another resource (`amd.com/cpx_nps4`), which `resourceName` must name. Its
device id is still that of the whole GPU, so the operator reports the template as available. The rule also judges a model whose custom
hardware becomes templates. It is silent if an autoscaler may add a node that has the GPUs.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; Kubernetes v1.36, noderesources; ROCm/k8s-device-plugin issues 128 and 157.
"""

from weighbridge.policies.facts import Node
from weighbridge.policies.families.aim.dialect import dialect_of
from weighbridge.policies.families.aim.predictions.template import has_gpu
from weighbridge.policies.families.aim.rulebook import MAY_COME, AskedGpus, Given, NotChecked, Said, Violation, asked_gpus
from weighbridge.policies.families.aim.subject.gpus import DEVICE_ID
from weighbridge.policies.families.unschedulable import node_may_come


@asked_gpus.warning(
    reads=tuple(sorted(("Node", *MAY_COME))),
    good="accepts-a-template-for-partitions",
    bad="warns-of-a-template-for-gpus-that-are-partitioned",
)
def check(all_asked: list[AskedGpus], given: Given) -> Said:
    dialect, is_template = dialect_of(given.group), given.kind.endswith("ServiceTemplate")
    from weighbridge.policies.placement.extenders import left_to_extender

    for asked in all_asked:
        if left_to_extender([asked.resource], given.facts):
            yield NotChecked(f"HAMi's scheduler decides about {asked.resource}")
            continue
        richest = max(asked.nodes(given.facts), key=lambda node: node.amounts.get(asked.resource, 0), default=None)
        most = richest.amounts.get(asked.resource, 0) if richest is not None else 0
        # AIM-040 and AIM-049 report a template if the operator finds no node with its GPU.
        is_known = is_template and (richest is None or (not most and has_gpu(given.object, dialect, given.facts) is False))
        if most < asked.count and not is_known and not node_may_come(asked.resource, asked.count, given.facts, given.config):
            yield _violation(asked, dialect.count, richest, most)


def _violation(asked: AskedGpus, count: str, richest: Node | None, most: int) -> Violation:
    where = f"no node with {asked.model}" if asked.affinity is not None and asked.model else "no node"
    if richest is not None and most:
        return Violation(
            (*asked.path, count),
            f"{asked.count} {asked.resource} for a replica, and {where} has more than {most}",
            found=str(asked.count),
            expected=f"at most {most}",
            nearest=richest.name,
        )
    if richest is None:
        message = f"no node has the GPU {asked.model}, by its label {DEVICE_ID}"
        return Violation((*asked.path, "model"), message, found=asked.model, hint="request a GPU model that the cluster has")
    others = _others(richest, asked.resource)
    return Violation(
        (*asked.path, "resourceName"),
        f"{where} has {asked.resource}{f'; {others}' if others else ''}",
        found=asked.resource,
        expected="a resource that some node offers",
        hint="name a resource that the nodes have, or declare the nodes that will come in expectedNodes",
    )


def _others(node: Node, resource: str) -> str:
    """The resources of the same vendor that the node has under other names."""
    vendor = resource.partition("/")[0]
    found = [f"{amount} {name}" for name, amount in sorted(node.amounts.items()) if name.startswith(f"{vendor}/") and amount]
    return f"{node.name} has {', '.join(found)}" if found else ""
