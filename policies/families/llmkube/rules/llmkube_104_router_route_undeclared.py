"""A route leads to a backend that the router doesn't have.

`defaultRoute` and the routes of rules name the router's own backends. Upstream's webhook refuses any other name.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.upstream.router_spec import Topic
from policies.families.llmkube.upstream.router_webhook import objections
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    names = [text(backend, "name") for backend in items(spec_of(request.object), "backends")]
    for objection in objections(request.object, Topic.ROUTE):
        named = lookup(request.object, objection.path)
        found = named if isinstance(named, str) else ""
        nearest = similar(found, names) or ", ".join(names[:3])
        yield RULE.finding(objection.path, objection.detail, found=found, nearest=nearest)


RULE = Rule(
    id="LLMKUBE-104",
    name="router-route-undeclared",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="backends: [{name: local, inferenceServiceRef: {name: llama}}]\ndefaultRoute: local",
    bad="backends: [{name: local, inferenceServiceRef: {name: llama}}]\ndefaultRoute: locl",
)
