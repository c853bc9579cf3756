"""Two backends of a router have one name.

Routes name backends, so that the second would stand in the place of the first. Upstream's webhook refuses the router.

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
    for objection in objections(request.object, Topic.NAME):
        yield RULE.finding(objection.path, objection.detail, hint="give each backend its own name")


RULE = Rule(
    id="LLMKUBE-101",
    name="router-backend-named-twice",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="backends: [{name: a, inferenceServiceRef: {name: llama}}, {name: b, inferenceServiceRef: {name: llama}}]",
    bad="backends: [{name: a, inferenceServiceRef: {name: llama}}, {name: a, inferenceServiceRef: {name: mistral}}]",
)
