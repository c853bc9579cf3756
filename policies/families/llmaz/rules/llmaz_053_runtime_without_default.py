"""A runtime has no configuration named `default`.

That is the one that a Playground takes where it names none. Without it each has to name one.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.kinds import DEFAULT_CONFIG
from policies.families.llmaz.resolve.runtime import config_names
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import similar


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if request.subresource or not isinstance(request.object, dict):
        return
    names = config_names(request.object)
    if DEFAULT_CONFIG not in names:
        message = "the runtime has no configuration default, which Playgrounds take"
        yield RULE.finding(("spec", "recommendedConfigs"), message, nearest=similar(DEFAULT_CONFIG, names), hint="name one of them default")


RULE = Rule(
    id="LLMAZ-053",
    name="runtime-without-default",
    severity=Severity.WARNING,
    kinds=("BackendRuntime",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    check=_check,
    good="image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default}]",
    bad="image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: big}]",
)
