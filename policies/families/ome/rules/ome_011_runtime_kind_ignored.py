"""A service gets a runtime of another kind than it says.

OME looks for a runtime of that name in the namespace, then in the cluster, and reads `spec.runtime.kind` nowhere. Without a kind that is
ClusterServingRuntime, so a ServingRuntime of the same name comes before the one of the cluster. Write the kind that it gets, or another
name.

Source: OME v0.1.5 pkg/runtimeselector/fetcher.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES
from weighbridge.policies.families.ome.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import RUNTIME_READS
from weighbridge.policies.ground.fields import part, text


@services.warning(
    reads=RUNTIME_READS,
    good="accepts-a-runtime-by-its-name",
    bad="warns-of-a-runtime-of-another-kind",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.is_virtual:
        return

    found = serving.named.runtime if serving.named is not None else None
    kind = text(part(serving.spec, "runtime"), "kind", CLUSTER_RUNTIMES.kind)
    if found is None or found.kind == kind:
        return
    if found.namespace:
        # Most leave the kind open, which says ClusterServingRuntime: only one that is there can have been meant.
        if CLUSTER_RUNTIMES.get(given.facts, "", found.name) is None:
            return
        message = f"{found.title} of namespace {serving.namespace} is taken before the {kind} of that name"
    else:
        message = f"{found.title} is taken, since namespace {serving.namespace} has no {kind} of that name"
    yield Violation(("spec", "runtime", "kind"), message, found=kind, expected=found.kind)
