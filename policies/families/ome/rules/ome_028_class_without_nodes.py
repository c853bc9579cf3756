"""No node of the cluster has the labels of an accelerator class.

Pods of the class have its labels as their node selector, so they stay Pending until a node has these labels. Correct
`discovery.nodeSelector`, or add such nodes.

Source: OME v0.1.5, pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from weighbridge.policies.families.ome.rulebook import AcceleratorClass, Given, NotChecked, Said, Violation, classes
from weighbridge.policies.families.ome.subject.accelerators import has_node


@classes.warning(reads=("Node",), good="accepts-a-class-with-nodes", bad="warns-of-a-class-without-nodes")
def check(accelerator: AcceleratorClass, given: Given) -> Said:
    if not accelerator.node_selector:
        return
    if given.facts.inventory is None:
        yield NotChecked("no nodes of the cluster are known")
    elif not has_node(accelerator, given.facts.inventory):
        labels = ", ".join(f"{key}={value}" for key, value in accelerator.node_selector.items())
        yield Violation(
            ("spec", "discovery", "nodeSelector"),
            f"no node of the cluster has {labels}",
            found=labels,
            hint="correct the labels, or add nodes that have them",
        )
