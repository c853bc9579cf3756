"""A service names a runtime that isn't there.

OME looks in the service's namespace, then in the cluster. Where neither has the runtime, its controller comes no further, and the service
gets no pods. Apply the runtime first, correct the name, or leave it out for OME to select one.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, RUNTIMES
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS


@services.error(
    about=REFERENCE | FAILURE,
    reads=RUNTIME_READS,
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-runtime-that-is-missing",
)
def check(serving: Serving, given: Given) -> Said:
    named = serving.named if not serving.is_virtual else None
    if named is None:
        return
    if named.unknown:
        yield NotChecked(named.unknown)
    elif named.runtime is None:
        own = RUNTIMES.nearest(given.facts, serving.namespace, named.name, otherwise=0)
        yield Violation(
            ("spec", "runtime", "name"),
            f'no runtime "{named.name}" is in namespace {serving.namespace} or in the cluster, so the service gets no pods',
            found=named.name,
            nearest=own or CLUSTER_RUNTIMES.nearest(given.facts, "", named.name),
            hint="apply the runtime first, correct the name, or leave it out for OME to select one",
        )
