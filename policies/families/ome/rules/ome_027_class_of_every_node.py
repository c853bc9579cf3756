"""An accelerator class names no labels of its nodes.

Without `discovery.nodeSelector` OME counts every node as one of the class, also those without accelerators, and pods that get the class go
anywhere.

Source: OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.accelerators import read_class
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if isinstance(request.object, dict) and not read_class(request.object).node_selector:
        yield RULE.finding(
            ("spec", "discovery", "nodeSelector"),
            "without labels every node is of the class, also those without accelerators",
            hint="write the labels of its nodes, such as nvidia.com/gpu.product",
        )


RULE = Rule(
    id="OME-027",
    name="class-of-every-node",
    severity=Severity.WARNING,
    kinds=("AcceleratorClass",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/acceleratorclass/controller.go",
    check=_check,
    good="""\
discovery: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
capabilities: {memoryGB: 80Gi}
""",
    bad="""\
discovery: {}
capabilities: {memoryGB: 80Gi}
""",
)
