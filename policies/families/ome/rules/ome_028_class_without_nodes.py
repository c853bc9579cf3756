"""No node of the cluster has the labels of an accelerator class.

Pods that get the class have its labels as their node selector, so they wait for a node that comes with them. Correct
`discovery.nodeSelector`, or add such nodes.

Source: OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.accelerators import has_node, read_class
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    found = read_class(request.object) if isinstance(request.object, dict) else None
    if found is None or not found.node_selector:
        return
    if facts.inventory is None:
        yield RULE.unchecked("no nodes of the cluster are known")
    elif not has_node(found, facts.inventory):
        labels = ", ".join(f"{key}={value}" for key, value in found.node_selector.items())
        yield RULE.finding(
            ("spec", "discovery", "nodeSelector"),
            f"no node of the cluster has {labels}",
            found=labels,
            hint="correct the labels, or add nodes that have them",
        )


RULE = Rule(
    id="OME-028",
    name="class-without-nodes",
    severity=Severity.WARNING,
    kinds=("AcceleratorClass",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go",
    beside="""\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
status: {allocatable: {nvidia.com/gpu: "8"}}
""",
    reads=("Node",),
    check=_check,
    good="""\
discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
capabilities: {memoryGB: 80Gi}
""",
    bad="""\
discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100}}
capabilities: {memoryGB: 80Gi}
""",
)
