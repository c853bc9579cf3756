"""A router's backend is a service of this cluster and says that it is in the cloud.

`tier` decides where sensitive data may go. A service is always local, and upstream's webhook refuses it as anything else.

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
    for objection in objections(request.object, Topic.TIER):
        yield RULE.finding(objection.path, objection.detail, found="cloud", expected="local")


RULE = Rule(
    id="LLMKUBE-102",
    name="router-service-as-cloud",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="backends: [{name: a, tier: local, inferenceServiceRef: {name: llama}}]",
    bad="backends: [{name: a, tier: cloud, inferenceServiceRef: {name: llama}}]",
)
