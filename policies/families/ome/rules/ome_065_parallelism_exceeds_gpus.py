"""The command line of a runtime takes more GPUs than its container gets.

Tensor and pipeline parallel sizes multiply. With fewer GPUs than that the engine doesn't start.

Source: OME v0.1.5 config/runtimes.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.subject.components import containers_of, pod_parts
from policies.families.ome.subject.parallelism import gpus_of, world_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    for pod, path in pod_parts(request.object):
        for container in containers_of(pod, path):
            demand, given = world_of(container.obj), gpus_of(container.obj)
            if demand is not None and given is not None and given[1] < demand.gpus:
                yield RULE.finding(
                    (*container.path, "resources"),
                    f"its command line has {demand.words}, which takes {demand.gpus} GPUs, and it asks for {given[1]} {given[0]}",
                    found=str(given[1]),
                    expected=str(demand.gpus),
                )


RULE = Rule(
    id="OME-065",
    name="parallelism-exceeds-gpus",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime"),
    since="0.1.0",
    source="OME v0.1.5 config/runtimes",
    check=_check,
    good="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
engineConfig:
  runner: {name: ome-container, image: "sglang:1", args: [--tp-size, "2"], resources: {limits: {nvidia.com/gpu: 2}}}
""",
    bad="""\
supportedModelFormats: [{modelFormat: {name: safetensors}, modelFramework: {name: transformers}, autoSelect: true}]
modelSizeRange: {min: 1B, max: 9B}
engineConfig:
  runner: {name: ome-container, image: "sglang:1", args: [--tp-size, "4"], resources: {limits: {nvidia.com/gpu: 2}}}
""",
)
