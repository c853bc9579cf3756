"""A service changes the limit of its runtime's GPUs, and not the request, or the other way round.

OME merges both sides name by name, so what the service leaves out stays as the runtime has it. Kubernetes wants request and limit of a
device to be equal and refuses the Deployment. Write both.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.families.ome.subject.components import COMPONENTS, configured
from weighbridge.policies.ground.fields import amounts, part


@services.error(
    about=FAILURE,
    reads=RUNTIME_READS,
    good="accepts-a-limit-of-gpus-with-its-request",
    bad="refuses-a-limit-of-gpus-without-its-request",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.is_virtual:
        return

    runtime = serving.runtime
    if runtime is None:
        return
    for component in COMPONENTS:
        own, base = part(serving.spec, component, "runner", "resources"), part(configured(runtime.spec, component), "runner", "resources")
        requests, limits = (amounts(base, side) | amounts(own, side) for side in ("requests", "limits"))
        for name in sorted(set(requests) & set(limits)):
            if "/" not in name or requests[name] == limits[name]:
                continue
            side = "limits" if name in part(own, "limits") else "requests"
            yield Violation(
                ("spec", component, "runner", "resources", side, name),
                f"with {runtime.title} the request is {requests[name]} and the limit {limits[name]}, and Kubernetes wants them equal",
                hint="write both in the service",
            )
