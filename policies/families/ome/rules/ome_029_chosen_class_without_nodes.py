"""A service gets an accelerator class that no node has.

OME doesn't look at the nodes when it chooses: FirstAvailable takes the first class of the runtime's list. The pods then wait for a node
that comes with the labels of the class. Name a class that the cluster has, or put that one first.

Source: OME v0.1.5 pkg/acceleratorclassselector/policies.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES
from weighbridge.policies.families.ome.rulebook import PLACEMENT, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.accelerators import has_node, read_class

_NODE: Final = """\
---
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
status: {allocatable: {nvidia.com/gpu: "8"}}
"""


@services.warning(
    about=PLACEMENT,
    reads=tuple(sorted((*CLASS_READS, "Node"))),
    good="accepts-a-chosen-class-with-nodes",
    bad="warns-of-a-chosen-class-without-nodes",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.is_virtual:
        return

    for component, choice in serving.classes.items():
        if choice.accelerator is None or not choice.accelerator.node_selector:
            continue
        if given.facts.inventory is None:
            yield NotChecked("no nodes of the cluster are known")
            return
        if has_node(choice.accelerator, given.facts.inventory):
            continue
        listed = serving.runtime.classes if serving.runtime is not None else ()
        others = (read_class(found) for name in listed if (found := ACCELERATOR_CLASSES.get(given.facts, "", name)) is not None)
        there = [one.name for one in others if has_node(one, given.facts.inventory)]
        yield Violation(
            choice.path,
            f"{component} gets AcceleratorClass {choice.name}, and no node of the cluster is of that class",
            found=choice.name,
            nearest=", ".join(there),
            hint="name a class that the cluster has, or add such nodes",
        )
