"""The pod would request another number of GPUs than its limit.

What template and service ask for is laid over the operator's own figures, requests and limits each on their own; a GPU that is asked for on
one side only leaves the template's number on the other. The API server takes no pod whose extended resources differ.

Source: aim-engine v0.2.1 internal/aimservice/isvc.go; kaiwo dbca1b55 internal/controller/aim/shared/kserve.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.predictions.workload import resources
from weighbridge.policies.families.aim.rulebook import FAILURE, PLACEMENT, Given, Said, Serving, Violation, services
from weighbridge.policies.families.aim.rules._examples import SERVICE_READS
from weighbridge.policies.ground.fields import part


@services.error(
    about=PLACEMENT | FAILURE,
    reads=SERVICE_READS,
    good="accepts-gpus-on-both-sides",
    bad="refuses-gpus-that-are-only-requested",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.work is None:
        return
    found = resources(serving.work)
    requests, limits = part(found, "requests"), part(found, "limits")
    # A limit without a request is one for both.
    for name in sorted(requests):
        if "/" in name and requests[name] != limits.get(name):
            yield Violation(
                ("spec", "resources", "limits", name),
                f"the pod would request {requests[name]} {name} with a limit of {limits.get(name, 'none')}",
                found=limits.get(name, ""),
                expected=requests[name],
                hint="set requests and limits to the same number, or leave both to the template",
            )
