"""A template of a Service has no container `model-runner`.

That one gets the model and the limits of the flavor. Without it the pods have neither: upstream refuses that of the workers, and only
when the Service is created.

Source: llmaz 3c13ff3 pkg/webhook/service_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.kinds import RUNNER
from policies.families.llmaz.resolve.service import has_runner
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    templates = part(spec_of(request.object), "workloadTemplate")
    if request.subresource or not isinstance(request.object, dict):
        return
    for template in ("leaderTemplate", "workerTemplate"):
        if isinstance(templates.get(template), dict) and not has_runner(request.object, template):
            names = [text(found, "name") for found in items(templates, template, "spec", "containers")]
            path = ("spec", "workloadTemplate", template, "spec", "containers")
            message = "no container is named model-runner, so the flavor's limits and the model go nowhere"
            yield RULE.finding(path, message, found=", ".join(names), expected=RUNNER)


RULE = Rule(
    id="LLMAZ-060",
    name="runner-missing",
    severity=Severity.ERROR,
    kinds=("Service",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/service_webhook.go",
    mirrors="model-runner container doesn't exist",
    beside=BESIDE,
    check=_check,
    good="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner, image: acme/engine:v1}]}}}""",
    bad="""\
modelClaims: {models: [{name: opt}]}
workloadTemplate: {workerTemplate: {spec: {containers: [{name: engine, image: acme/engine:v1}]}}}""",
)
