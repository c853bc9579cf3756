"""The command line needs more GPUs than its container gets.

The engine needs the product of its tensor and pipeline parallel sizes. With fewer GPUs it doesn't start. The rule judges a service as
OME merges it with its runtime. OME-016 reports an accelerator class that lowers the number of GPUs. Lower the sizes, or request more
GPUs.

Source: OME v0.1.5, config/runtimes and pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from weighbridge.policies.families.ome.predictions.engines import servers_of_service
from weighbridge.policies.families.ome.rulebook import WORKLOAD_READS, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.components import containers_of, pod_parts
from weighbridge.policies.families.ome.subject.parallelism import gpus_of, world_of


@objects.warning(
    kinds=("ServingRuntime", "ClusterServingRuntime", "InferenceService"),
    reads=WORKLOAD_READS,
    good="accepts-parallelism-of-all-gpus",
    bad="warns-of-more-parallelism-than-gpus",
)
def check(given: Given) -> Said:
    if given.kind == "InferenceService":
        yield from _of_service(given)
        return
    for pod, path in pod_parts(given.object):
        for container in containers_of(pod, path):
            demand, gpus = world_of(container.obj), gpus_of(container.obj)
            if demand is not None and gpus is not None and gpus[1] < demand.gpus:
                yield Violation(
                    (*container.path, "resources"),
                    f"its command line has {demand.words}, which needs {demand.gpus} GPUs, but it requests {gpus[1]} {gpus[0]}",
                    found=str(gpus[1]),
                    expected=str(demand.gpus),
                )


def _of_service(given: Given) -> Said:
    for server in servers_of_service(*given):
        demand, gpus = world_of(server.container), gpus_of(server.container)
        if server.is_group or server.gets_gpus_of_class or demand is None or gpus is None or gpus[1] >= demand.gpus:
            continue
        yield Violation(
            server.path("resources" if server.own.get("resources") and not server.replaced else "args"),
            f"its command line has {demand.words}, which takes {demand.gpus} GPUs, and the pod has {gpus[1]} {gpus[0]}",
            found=str(gpus[1]),
            expected=str(demand.gpus),
            hint="lower the size, or request more GPUs",
        )
