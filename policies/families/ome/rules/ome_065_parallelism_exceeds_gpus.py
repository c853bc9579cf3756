"""The command line takes more GPUs than its container gets.

Tensor and pipeline parallel sizes multiply. With fewer GPUs than that the engine doesn't start. Of a service, what the merge with its
runtime gives is looked at; where an accelerator class lowers the GPUs, OME-016 says so.

Source: OME v0.1.5 config/runtimes and pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.resolve.merge.servers import servers_of
from policies.families.ome.rules._examples import CLASS_READS
from policies.families.ome.subject.components import containers_of, pod_parts
from policies.families.ome.subject.parallelism import gpus_of, world_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.gvk.kind == "InferenceService":
        yield from _of_service(request, facts, config)
        return
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


def _of_service(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    for server in servers_of(made) if made is not None else ():
        demand, given = world_of(server.container), gpus_of(server.container)
        is_of_class = made is not None and made.shares[server.component.name].accelerator is not None and not server.own.get("resources")
        if server.is_group or is_of_class or demand is None or given is None or given[1] >= demand.gpus:
            continue
        yield RULE.finding(
            server.path("resources" if server.own.get("resources") and not server.replaced else "args"),
            f"its command line has {demand.words}, which takes {demand.gpus} GPUs, and the pod has {given[1]} {given[0]}",
            found=str(given[1]),
            expected=str(demand.gpus),
            hint="lower the size, or ask for more GPUs",
        )


RULE = Rule(
    id="OME-065",
    name="parallelism-exceeds-gpus",
    severity=Severity.WARNING,
    kinds=("ServingRuntime", "ClusterServingRuntime", "InferenceService"),
    since="0.1.0",
    source="OME v0.1.5 config/runtimes",
    reads=CLASS_READS,
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
