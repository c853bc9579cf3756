"""The command line takes more GPUs than its container gets.

Tensor and pipeline parallel sizes multiply. With fewer GPUs than that the engine doesn't start. Of a service, what the merge with its
runtime gives is looked at; where an accelerator class lowers the GPUs, OME-016 says so.

Source: OME v0.1.5 config/runtimes and pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.merge.created_objects import made_of
from weighbridge.policies.families.ome.predictions.merge.servers import servers_of
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.rules._examples import CLASS_READS
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.ome.subject.parallelism import gpus_of, world_of
from weighbridge.policies.ground.request import Request


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime", "InferenceService"),
    reads=CLASS_READS,
    good="accepts-parallelism-of-all-gpus",
    bad="warns-of-more-parallelism-than-gpus",
)
def check(known_given: Given) -> Said:
    if known_given.kind == "InferenceService":
        yield from _of_service(*known_given)
        return
    for pod, path in pod_parts(known_given.object):
        for container in containers_of(pod, path):
            demand, given = world_of(container.obj), gpus_of(container.obj)
            if demand is not None and given is not None and given[1] < demand.gpus:
                yield Violation(
                    (*container.path, "resources"),
                    f"its command line has {demand.words}, which takes {demand.gpus} GPUs, and it asks for {given[1]} {given[0]}",
                    found=str(given[1]),
                    expected=str(demand.gpus),
                )


def _of_service(request: Request, facts: Facts, config: Configuration) -> Iterator[Violation]:
    made = made_of(request, facts, config)
    for server in servers_of(made) if made is not None else ():
        demand, given = world_of(server.container), gpus_of(server.container)
        is_of_class = made is not None and made.shares[server.component.name].accelerator is not None and not server.own.get("resources")
        if server.is_group or is_of_class or demand is None or given is None or given[1] >= demand.gpus:
            continue
        yield Violation(
            server.path("resources" if server.own.get("resources") and not server.replaced else "args"),
            f"its command line has {demand.words}, which takes {demand.gpus} GPUs, and the pod has {given[1]} {given[0]}",
            found=str(given[1]),
            expected=str(demand.gpus),
            hint="lower the size, or ask for more GPUs",
        )
