"""A service gets an accelerator class that no node has.

OME doesn't look at the nodes when it chooses: FirstAvailable takes the first class of the runtime's list. The pods then wait for a node
that comes with the labels of the class. Name a class that the cluster has, or put that one first.

Source: OME v0.1.5 pkg/acceleratorclassselector/policies.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import ACCELERATOR_CLASSES
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import CLASS_READS, CLASSED, H100
from policies.families.ome.subject.accelerators import has_node, read_class
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request

_NODE: Final = """\
---
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
status: {allocatable: {nvidia.com/gpu: "8"}}
"""


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    for component, choice in serving.classes.items():
        if choice.accelerator is None or not choice.accelerator.node_selector:
            continue
        if facts.inventory is None:
            yield RULE.unchecked("no nodes of the cluster are known")
            return
        if has_node(choice.accelerator, facts.inventory):
            continue
        listed = serving.runtime.classes if serving.runtime is not None else ()
        others = (read_class(found) for name in listed if (found := ACCELERATOR_CLASSES.get(facts, "", name)) is not None)
        there = [one.name for one in others if has_node(one, facts.inventory)]
        yield RULE.finding(
            choice.path,
            f"{component} gets AcceleratorClass {choice.name}, and no node of the cluster is of that class",
            found=choice.name,
            nearest=", ".join(there),
            hint="name a class that the cluster has, or add such nodes",
        )


RULE = Rule(
    id="OME-029",
    name="chosen-class-without-nodes",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/acceleratorclassselector/policies.go",
    reads=tuple(sorted((*CLASS_READS, "Node"))),
    is_about_placement=True,
    beside=CLASSED.replace("[nvidia-h100]", "[nvidia-a100, nvidia-h100]")
    + "---\n"
    + H100.replace("h100", "a100").replace("H100", "A100")
    + _NODE,
    check=_check,
    good="""\
model: {name: llama}
acceleratorSelector: {acceleratorClass: nvidia-h100}
engine: {}
""",
    bad="""\
model: {name: llama}
acceleratorSelector: {policy: FirstAvailable}
engine: {}
""",
)
