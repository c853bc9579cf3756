"""A service gets a runtime of another kind than `spec.runtime.kind`.

OME looks for a runtime of that name in the namespace, then in the cluster, and never reads `spec.runtime.kind`. The default kind is
ClusterServingRuntime, but a ServingRuntime of the same name takes precedence over the cluster's. Write the kind that the service gets,
or another name.

Source: OME v0.1.5, pkg/runtimeselector/fetcher.go.
"""

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES
from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, deployed, part, text


@deployed.warning(good="accepts-a-runtime-by-its-name", bad="warns-of-a-runtime-of-another-kind")
def check(service: Service) -> Said:
    found = service.named.runtime if service.named is not None else None
    kind = text(part(service.spec, "runtime"), "kind", CLUSTER_RUNTIMES.kind)
    if found is None or found.kind == kind:
        return
    if found.namespace:
        # Most authors leave the kind open, which then defaults to ClusterServingRuntime. Only an existing one can be meant.
        if CLUSTER_RUNTIMES.get(service.facts, "", found.name) is None:
            return
        message = f"{found.title} of namespace {service.namespace} is taken before the {kind} of that name"
    else:
        message = f"OME uses {found.title}, since namespace {service.namespace} has no {kind} of that name"
    yield Violation(("spec", "runtime", "kind"), message, found=kind, expected=found.kind)
