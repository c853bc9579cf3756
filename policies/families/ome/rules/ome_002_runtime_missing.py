"""A service names a runtime that doesn't exist.

OME looks in the service's namespace, then in the cluster. If neither has the runtime, its controller reports an error, and the
service gets no pods. Apply the runtime first, correct the name, or leave it out for OME to select one.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, RUNTIMES
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, NotChecked, Said, Service, Violation, deployed


@deployed.error(about=REFERENCE | FAILURE, good="accepts-a-runtime-by-its-name", bad="warns-of-a-runtime-that-is-missing")
def check(service: Service) -> Said:
    named = service.named
    if named is None or named.runtime is not None:
        return
    if named.unknown:
        yield NotChecked(named.unknown)
    else:
        yield Violation(
            ("spec", "runtime", "name"),
            f'no runtime "{named.name}" is in namespace {service.namespace} or in the cluster, so the service gets no pods',
            found=named.name,
            nearest=service.nearest(RUNTIMES, CLUSTER_RUNTIMES, named.name),
            hint="apply the runtime first, correct the name, or leave it out so that OME selects one",
        )
