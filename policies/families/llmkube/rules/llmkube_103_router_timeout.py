"""A router's duration can't be read, or is out of bounds.

Timeouts of backends and rules lie between 100ms and 30m; outside, a wrong unit is likely, and upstream's webhook refuses
the router. One that is no duration at all, such as `30` or `1 minute`, can't even be read by it.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.upstream.router_spec import Topic
from policies.families.llmkube.upstream.router_webhook import objections, unreadable_durations
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for path, problem in unreadable_durations(request.object):
        found = str(lookup(request.object, path))
        yield RULE.finding(path, problem, found=found, expected="a number with its unit, such as 30s or 1m30s")
    for objection in objections(request.object, Topic.TIMEOUT):
        found = str(lookup(request.object, objection.path))
        yield RULE.finding(objection.path, objection.detail, found=found, expected="100ms to 30m")


RULE = Rule(
    id="LLMKUBE-103",
    name="router-timeout",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="backends: [{name: a, timeout: 90s, inferenceServiceRef: {name: llama}}]",
    bad="backends: [{name: a, timeout: 90m, inferenceServiceRef: {name: llama}}]",
)
