"""OME's controller can't make the workload that comes of the service, or the API server refuses it.

The merge of service and runtime decides what is written, and nobody looks at it before: the service has neither an event nor a status, and
the reason stands only in the controller's log. Of names, volumes, variables and resources there are rules of their own.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go; Kubernetes v1.36, pkg/apis/apps/validation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.resolve.merge.making import made_of
from policies.families.ome.resolve.merge.pods import NoContainerError
from policies.families.ome.rules._examples import CLASS_READS, SERVABLE
from policies.findings import Finding, Severity
from policies.request import Request

_TOLD_ELSEWHERE: Final = re.compile(r"^metadata|^spec\.selector|\.labels|volume|\.env\[|\.resources|\]\.name$|Probe")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    error = made.error if made is not None else None
    if isinstance(error, NoContainerError):
        yield RULE.finding(("spec",), f"OME can't make the pods: {error}", hint="give it a runner with an image")
    elif error is not None:
        left = [found for found in error.errors if not _TOLD_ELSEWHERE.search(found.field)]
        if left:
            told = "; ".join(map(str, left))
            yield RULE.finding(
                ("spec",), f"the API server refuses the Deployment: {told}", hint="correct it in the service or in its runtime"
            )


RULE = Rule(
    id="OME-160",
    name="workload-not-made",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go; Kubernetes v1.36 pkg/apis/apps/validation",
    reads=CLASS_READS,
    beside=SERVABLE,
    check=_check,
    good="""\
model: {name: llama}
engine: {tolerations: [{key: gpu, operator: Exists}]}
""",
    bad="""\
model: {name: llama}
engine: {tolerations: [{key: gpu, operator: Exists, value: "yes"}]}
""",
)
