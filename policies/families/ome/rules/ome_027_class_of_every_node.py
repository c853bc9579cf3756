"""An accelerator class names no labels of its nodes.

Without `discovery.nodeSelector` OME counts every node as one of the class, also those without accelerators, and pods that get the class go
anywhere.

Source: OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.accelerators import read_class


@objects.warning(
    kinds=("AcceleratorClass",),
    good="accepts-a-class-of-eighty-gigabytes",
    bad="warns-of-a-class-of-every-node",
)
def check(given: Given) -> Said:
    if not read_class(given.object).node_selector:
        yield Violation(
            ("spec", "discovery", "nodeSelector"),
            "without labels every node is of the class, also those without accelerators",
            hint="write the labels of its nodes, such as nvidia.com/gpu.product",
        )
