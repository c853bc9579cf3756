"""A service names a runtime that isn't there.

OME looks in the service's namespace, then in the cluster. Where neither has the runtime, its controller comes no further, and the service
gets no pods. Apply the runtime first, correct the name, or leave it out for OME to select one.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import CLUSTER_RUNTIMES, RUNTIMES
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    named = serving.named if serving is not None and not serving.is_virtual else None
    if serving is None or named is None:
        return
    if named.unknown:
        yield RULE.unchecked(named.unknown)
    elif named.runtime is None:
        own = RUNTIMES.nearest(facts, serving.namespace, named.name, otherwise=0)
        yield RULE.finding(
            ("spec", "runtime", "name"),
            f'no runtime "{named.name}" is in namespace {serving.namespace} or in the cluster, so the service gets no pods',
            found=named.name,
            nearest=own or CLUSTER_RUNTIMES.nearest(facts, "", named.name),
            hint="apply the runtime first, correct the name, or leave it out for OME to select one",
        )


RULE = Rule(
    id="OME-002",
    name="runtime-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go",
    reads=RUNTIME_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=SERVABLE,
    check=_check,
    good="model: {name: llama}\nruntime: {name: srt}\nengine: {}",
    bad="model: {name: llama}\nruntime: {name: sr}\nengine: {}",
)
