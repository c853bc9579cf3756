"""OME's controller can't make the workload that comes of the service, or the API server refuses it.

The merge of service and runtime decides what is written, and nothing looks at it before: the service has neither an event nor a status, and
the reason is only in the controller's log. Of a component for several nodes it is the StatefulSet of LeaderWorkerSet that is refused, and
the reason is in the log of that. Each error is reported here unless a rule of its own reports it.

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
from policies.families.ome.resolve.merge.workloads import Refusal
from policies.families.ome.rules._examples import CLASS_READS, SERVABLE
from policies.families.ome.rules._written_fields import written_field
from policies.families.ome.rules.ome_031_volume_named_as_the_model import RULE as VOLUME_NAMED_AS_THE_MODEL
from policies.families.ome.rules.ome_032_volume_kind_changed import RULE as VOLUME_KIND_CHANGED
from policies.families.ome.rules.ome_033_variable_source_changed import RULE as VARIABLE_SOURCE_CHANGED
from policies.families.ome.rules.ome_035_probe_without_port import RULE as PROBE_WITHOUT_PORT
from policies.families.ome.rules.ome_047_name_too_long import RULE as NAME_TOO_LONG
from policies.families.ome.rules.ome_056_gpu_limit_apart_from_request import RULE as GPU_LIMIT_APART
from policies.families.ome.rules.ome_155_fine_tuned_weight_missing import RULE as FINE_TUNED_WEIGHT_MISSING
from policies.families.ome.subject.components import COMPONENTS
from policies.findings import Finding, Severity
from policies.request import Request

#: The errors that a rule of its own reports, by their text; each only of the component that the rule speaks of.
REPORTED: Final = (
    (VOLUME_NAMED_AS_THE_MODEL, re.compile(r"\.volumes\[\d+\]\.name: Duplicate value")),
    (VOLUME_KIND_CHANGED, re.compile(r"\.volumes\[\d+\]\.\w+: Forbidden: may not specify more than 1 volume type")),
    (VARIABLE_SOURCE_CHANGED, re.compile(r"\.env\[\d+\]\.valueFrom: .*may not be specified when `value` is not empty")),
    (PROBE_WITHOUT_PORT, re.compile(r"Probe\.(?:httpGet|tcpSocket)\.port: ")),
    (
        NAME_TOO_LONG,
        re.compile(r"(?:labels|matchLabels|selector|metadata\.name): .*(?:must be no more than 63 bytes|invalid label selector)"),
    ),
    (GPU_LIMIT_APART, re.compile(r"\.resources\.requests: .*must be equal to \S+/\S+ limit")),
    (FINE_TUNED_WEIGHT_MISSING, re.compile(r'\.volumeMounts\[\d+\]\.name: Not found: "model-empty-dir"')),
)


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    made = made_of(request, facts, config)
    if made is None:
        return
    if isinstance(made.error, NoContainerError):
        yield RULE.finding(("spec",), f"OME can't make the pods: {made.error}", hint="give it a runner with an image")
    for refusal in made.refusals:
        reported = list(_reported(refusal, request, facts, config))
        # Labels are those of the workload and of its pods.
        left = {
            (written_field(request.object, refusal, error), error.body): error
            for error in refusal.errors
            if not any(pattern.search(str(error)) for pattern in reported)
        }
        for (path, _), error in left.items():
            message = f"the API server refuses the {refusal.workload} of {refusal.component}: {error}"
            yield RULE.finding(path, message, hint="correct it in the service or in its runtime")


def _reported(refusal: Refusal, request: Request, facts: Facts, config: Configuration) -> Iterator[re.Pattern[str]]:
    """The errors of a component that other rules report of this service."""
    for rule, pattern in REPORTED:
        found = [one for one in rule.check(request, facts, config) if isinstance(one, Finding)]
        if any(one.path[1] == refusal.component or one.path[1] not in COMPONENTS for one in found):
            yield pattern


RULE = Rule(
    id="OME-160",
    name="workload-not-made",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/controller/v1beta1/inferenceservice/controller.go; Kubernetes v1.36 pkg/apis/apps/validation",
    reads=CLASS_READS,
    is_about_placement=True,
    is_about_failure=True,
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
