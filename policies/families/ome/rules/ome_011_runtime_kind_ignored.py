"""A service gets a runtime of another kind than it says.

OME looks for a runtime of that name in the namespace, then in the cluster, and reads `spec.runtime.kind` nowhere. Without a kind that is
ClusterServingRuntime, so a ServingRuntime of the same name comes before the one of the cluster. Write the kind that it gets, or another
name.

Source: OME v0.1.5 pkg/runtimeselector/fetcher.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import CLUSTER_RUNTIMES
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
        return

    found = serving.named.runtime if serving.named is not None else None
    kind = text(part(serving.spec, "runtime"), "kind", CLUSTER_RUNTIMES.kind)
    if found is None or found.kind == kind:
        return
    if found.namespace:
        # Most leave the kind open, which says ClusterServingRuntime: only one that is there can have been meant.
        if CLUSTER_RUNTIMES.get(facts, "", found.name) is None:
            return
        message = f"{found.title} of namespace {serving.namespace} is taken before the {kind} of that name"
    else:
        message = f"{found.title} is taken, since namespace {serving.namespace} has no {kind} of that name"
    yield RULE.finding(("spec", "runtime", "kind"), message, found=kind, expected=found.kind)


RULE = Rule(
    id="OME-011",
    name="runtime-kind-ignored",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/runtimeselector/fetcher.go",
    reads=RUNTIME_READS,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama}
runtime: {name: srt, kind: ClusterServingRuntime}
engine: {}
""",
    bad="""\
model: {name: llama}
runtime: {name: srt, kind: ServingRuntime}
engine: {}
""",
)
