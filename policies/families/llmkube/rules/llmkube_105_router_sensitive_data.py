"""A rule for sensitive data may let it leave the cluster.

A rule that matches a sensitive class (pii and phi, or those of `policy.classification.sensitiveClassifications`) has to
fail closed and to lead to local backends only. Upstream's webhook refuses the router otherwise, in either data plane.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go and modelrouter_gateway_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.upstream.router_spec import Topic
from policies.families.llmkube.upstream.router_webhook import objections
from policies.findings import Finding, Severity
from policies.request import Request

_HINTS = {"failClosed": "set failClosed: true, so that no other backend answers when the local ones fail"}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    # In the data plane Gateway upstream objects a second time to the same rules.
    for objection in objections(request.object, Topic.SENSITIVE):
        hint = _HINTS.get(str(objection.path[-1]), "route sensitive data to backends of tier local only")
        yield RULE.finding(objection.path, objection.detail, hint=hint)


RULE = Rule(
    id="LLMKUBE-105",
    name="router-sensitive-data",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="""\
backends: [{name: local, inferenceServiceRef: {name: llama}}]
rules: [{name: private, failClosed: true, match: {dataClassification: [pii]}, route: {backends: [local]}}]
""",
    bad="""\
backends: [{name: local, inferenceServiceRef: {name: llama}}]
rules: [{name: private, match: {dataClassification: [pii]}, route: {backends: [local]}}]
""",
)
