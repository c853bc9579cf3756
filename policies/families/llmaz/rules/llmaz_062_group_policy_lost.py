"""A Service says how its groups restart or are divided, and llmaz doesn't pass it on.

Of `spec.workloadTemplate` the controller takes the templates and the size alone. The LeaderWorkerSet restarts all pods of a group when one
does, and has no subgroups.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request

_DEFAULT: Final = "RecreateGroupOnPodRestart"
_OTHERS: Final = ("Default", "None")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    template = part(spec_of(request.object), "workloadTemplate")
    restart = text(template, "restartPolicy")
    if restart in _OTHERS:
        message = f"llmaz doesn't pass it on; the groups get {_DEFAULT}"
        yield RULE.finding(("spec", "workloadTemplate", "restartPolicy"), message, found=restart, expected=_DEFAULT)
    if template.get("subGroupPolicy") is not None:
        message = "llmaz doesn't pass it on; the groups have no subgroups"
        yield RULE.finding(("spec", "workloadTemplate", "subGroupPolicy"), message, hint="leave it out")


RULE = Rule(
    id="LLMAZ-062",
    name="group-policy-lost",
    severity=Severity.WARNING,
    kinds=("Service",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/service_controller.go",
    check=_check,
    good="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner, image: "engine:v1"}]}}}""",
    bad="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {restartPolicy: None, workerTemplate: {spec: {containers: [{name: model-runner, image: "engine:v1"}]}}}""",
)
