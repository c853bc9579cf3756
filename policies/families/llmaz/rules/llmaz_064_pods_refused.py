"""The API server refuses the StatefulSet that LeaderWorkerSet makes of the pods.

The object is stored, and so is its LeaderWorkerSet, which checks next to nothing of its templates. No pod comes, and only the log of
LeaderWorkerSet's controller says why.

Source: LeaderWorkerSet v0.6.2 pkg/controllers/leaderworkerset_controller.go; Kubernetes v1.36 pkg/apis/apps/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.resolve.made import workload_of
from policies.families.llmaz.resolve.reading import reading_of
from policies.families.llmaz.rules._examples import BESIDE, CLAIM_READS
from policies.field_errors import aggregate
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.pods.validation.stateful_set import stateful_set_errors
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    reading = reading_of(request, facts, config)
    workload = workload_of(reading) if reading is not None else None
    if reading is None or workload is None:
        return
    templates = part(workload, "spec", "leaderWorkerTemplate")
    for template in ("leaderTemplate", "workerTemplate"):
        is_unused = template == "workerTemplate" and "leaderTemplate" in templates and whole(templates, "size", 1) <= 1
        if not isinstance(templates.get(template), dict) or is_unused:
            continue
        if errors := list(stateful_set_errors(part(templates, template))):
            path: Path = ("spec",) if reading.choice is not None else ("spec", "workloadTemplate", template)
            runtime = ", in the BackendRuntime" if reading.choice is not None else ""
            hint = f"correct the field that this value comes from, here{runtime} or in the OpenModel's flavor"
            yield RULE.finding(path, f"the API server refuses the StatefulSet of the pods: {aggregate(errors)}", hint=hint)


RULE = Rule(
    id="LLMAZ-064",
    name="pods-refused",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="LeaderWorkerSet v0.6.2 pkg/controllers/leaderworkerset_controller.go; Kubernetes v1.36 pkg/apis/apps/validation",
    reads=CLAIM_READS,
    is_about_placement=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {resources: {limits: {amd.com/gpu: 1}}}",
    bad="modelClaim: {modelName: opt}\nbackendRuntimeConfig: {resources: {limits: {gpu: 1}}}",
)
