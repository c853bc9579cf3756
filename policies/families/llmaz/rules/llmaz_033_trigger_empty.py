"""A trigger of scaling has no hpa.

A Playground with one is refused. Of a runtime it is stored, and the controller panics at every elastic Playground that takes it.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go and playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.rules._examples import BESIDE
from policies.fields import items, part
from policies.findings import Finding, Severity
from policies.objects import Path
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    holders: list[tuple[Path, object]] = [(("spec", "elasticConfig", "scaleTrigger"), part(spec, "elasticConfig").get("scaleTrigger"))]
    for place, found in enumerate(items(spec, "recommendedConfigs")):
        holders.append((("spec", "recommendedConfigs", place, "scaleTrigger"), found.get("scaleTrigger")))
    for path, trigger in holders:
        if isinstance(trigger, dict) and not isinstance(trigger.get("hpa"), dict):
            yield RULE.finding(
                (*path, "hpa"),
                "the trigger names nothing to scale by",
                hint="write hpa: {}, which is 80 % of the cpu, or remove the trigger",
            )


RULE = Rule(
    id="LLMAZ-033",
    name="trigger-empty",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "BackendRuntime",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/playground_webhook.go and playground_controller.go",
    mirrors="hpa couldn't be nil",
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2, scaleTrigger: {hpa: {}}}",
    bad="modelClaim: {modelName: opt}\nelasticConfig: {maxReplicas: 2, scaleTrigger: {}}",
)
