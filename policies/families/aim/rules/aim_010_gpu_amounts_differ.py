"""The pod would request another number of GPUs than its limit.

What template and service ask for is laid over the operator's own figures, requests and limits each on their own; a GPU that is asked for on
one side only leaves the template's number on the other. The API server takes no pod whose extended resources differ.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.resolve.workload import resources
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    if serving.work is None:
        return
    found = resources(serving.work)
    requests, limits = part(found, "requests"), part(found, "limits")
    # A limit without a request is one for both.
    for name in sorted(requests):
        if "/" in name and requests[name] != limits.get(name):
            yield RULE.finding(
                ("spec", "resources", "limits", name),
                f"the pod would request {requests[name]} {name} with a limit of {limits.get(name, 'none')}",
                found=limits.get(name, ""),
                expected=requests[name],
                hint="set requests and limits to the same number, or leave both to the template",
            )


RULE = Rule(
    id="AIM-010",
    name="gpu-amounts-differ",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go",
    reads=SERVICE_READS,
    is_about_placement=True,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good="model: {name: llama}\nresources: {requests: {amd.com/gpu: 2}, limits: {amd.com/gpu: 2}}",
    bad="model: {name: llama}\nresources: {requests: {amd.com/gpu: 2}}",
)
