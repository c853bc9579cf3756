"""An accelerator class has no labels to find its nodes.

Without `discovery.nodeSelector` OME counts every node as one of the class, also nodes without accelerators, and pods of the class are
scheduled to any node. Write the labels of the nodes that have the accelerator.

Source: OME v0.1.5, pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from weighbridge.policies.families.ome.rulebook import AcceleratorClass, Said, Violation, classes


@classes.warning(good="accepts-a-class-of-eighty-gigabytes", bad="warns-of-a-class-of-every-node")
def check(accelerator: AcceleratorClass) -> Said:
    if not accelerator.node_selector:
        yield Violation(
            ("spec", "discovery", "nodeSelector"),
            "without labels every node is of the class, also those without accelerators",
            hint="write the labels of its nodes, such as nvidia.com/gpu.product",
        )
