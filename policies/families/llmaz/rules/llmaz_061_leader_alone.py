"""A Service has leaders of their own and one pod in each group.

The leader is that pod: the worker's template is never used.

Source: LeaderWorkerSet v0.6.2 pkg/controllers.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import part, whole
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    template = part(spec_of(request.object), "workloadTemplate")
    if isinstance(template.get("leaderTemplate"), dict) and whole(template, "size", 1) <= 1:
        message = "a group has one pod, which is its leader, so no worker ever runs"
        yield RULE.finding(("spec", "workloadTemplate", "size"), message, found=str(whole(template, "size", 1)), expected="2 or more")


RULE = Rule(
    id="LLMAZ-061",
    name="leader-alone",
    severity=Severity.WARNING,
    kinds=("Service",),
    since="0.1.0",
    source="LeaderWorkerSet v0.6.2 pkg/controllers",
    beside=BESIDE,
    check=_check,
    good="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner, image: acme/engine:v1}]}}}""",
    bad="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate:
  size: 1
  leaderTemplate: {spec: {containers: [{name: model-runner, image: acme/engine:v1}]}}
  workerTemplate: {spec: {containers: [{name: model-runner, image: acme/engine:v1}]}}""",
)
