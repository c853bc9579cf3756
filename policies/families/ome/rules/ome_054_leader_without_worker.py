"""A component has a leader, but no worker.

OME creates a LeaderWorkerSet for such a component and reads the worker without a check, so its controller panics again and again.
Add a worker, in the service or in its runtime.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Path, Said, Service, Violation, deployed
from weighbridge.policies.families.ome.subject.components import configured
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED


@deployed.error(about=FAILURE, good="accepts-a-leader-with-a-worker", bad="refuses-a-leader-without-a-worker")
def check(service: Service) -> Said:
    for component in filter(service.has, ACCELERATED):
        own = service.spec[component]
        base = configured(service.runtime.spec, component) if service.runtime is not None else {}
        if ("leader" in own or "leader" in base) and "worker" not in own and "worker" not in base:
            place: Path = ("spec", component, "leader") if "leader" in own else ("spec", component)
            yield Violation(place, "OME's controller panics on a leader without a worker", hint=f"add spec.{component}.worker")
