"""A router's backend has no target, or two.

A backend is either an InferenceService of the router's namespace (`inferenceServiceRef`) or an external provider
(`external`). The CRD allows neither and both; upstream's webhook refuses them.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
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


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for objection in objections(request.object, Topic.TARGET):
        yield RULE.finding(objection.path, objection.detail, hint="split what has both into two backends")


RULE = Rule(
    id="LLMKUBE-100",
    name="router-backend-target",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="backends: [{name: local, inferenceServiceRef: {name: llama}}]",
    bad="backends: [{name: local}]",
)
