"""The pod's request for GPUs would differ from its limit.

The operator writes its own requests and limits, then merges the template's and the service's into them. It merges requests and limits
separately, so a GPU count that only one of the two sets keeps the template's number in the other. The API server refuses a pod whose
requests and limits of extended resources differ. Set both to the same number, or leave both to the template.

Source: aim-engine v0.2.1, internal/aimservice/kserve.go; kaiwo dbca1b55, internal/controller/aim/shared/kserve.go.
"""

from weighbridge.policies.families.aim.predictions.workload import unequal
from weighbridge.policies.families.aim.rulebook import FAILURE, PLACEMENT, Said, Violation, Work, workloads


@workloads.error(about=PLACEMENT | FAILURE, good="accepts-gpus-on-both-sides", bad="refuses-gpus-that-are-only-requested")
def check(work: Work) -> Said:
    for name, request, limit in unequal(work):
        yield Violation(
            ("spec", "resources", "limits", name),
            f"the pod would request {request} {name} with a limit of {limit or 'none'}",
            found=limit,
            expected=request,
            hint="set requests and limits to the same number, or leave both to the template",
        )
