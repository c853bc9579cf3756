"""A service changes the limit of its runtime's GPUs, and not the request, or the other way round.

OME merges both sides name by name, so what the service leaves out stays as the runtime has it. Kubernetes wants request and limit of a
device to be equal and refuses the Deployment. Write both.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import RUNTIME_READS, SERVABLE
from policies.families.ome.subject.components import COMPONENTS, configured
from policies.fields import amounts, part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_virtual:
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
            yield RULE.finding(
                ("spec", component, "runner", "resources", side, name),
                f"with {runtime.title} the request is {requests[name]} and the limit {limits[name]}, and Kubernetes wants them equal",
                hint="write both in the service",
            )


RULE = Rule(
    id="OME-056",
    name="gpu-limit-apart-from-request",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/utils/merging.go",
    reads=RUNTIME_READS,
    is_about_failure=True,
    beside=SERVABLE.replace('"sglang:1"}', '"sglang:1", resources: {requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}}', 1),
    check=_check,
    good="""\
model: {name: llama}
engine: {runner: {name: ome-container, resources: {requests: {nvidia.com/gpu: 2}, limits: {nvidia.com/gpu: 2}}}}
""",
    bad="""\
model: {name: llama}
engine: {runner: {name: ome-container, resources: {limits: {nvidia.com/gpu: 2}}}}
""",
)
