"""A trigger of scaling has no hpa.

A Playground with one is refused. Of a runtime it is stored, and the controller panics at every elastic Playground that takes it.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go and playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import Path


@objects.error(
    kinds=("Playground", "BackendRuntime"),
    about=FAILURE,
    mirrors="hpa couldn't be nil",
    good="accepts-a-trigger-of-its-own",
    bad="refuses-a-trigger-without-hpa",
)
def check(given: Given) -> Said:
    spec = given.spec
    holders: list[tuple[Path, object]] = [(("spec", "elasticConfig", "scaleTrigger"), part(spec, "elasticConfig").get("scaleTrigger"))]
    for place, found in enumerate(items(spec, "recommendedConfigs")):
        holders.append((("spec", "recommendedConfigs", place, "scaleTrigger"), found.get("scaleTrigger")))
    for path, trigger in holders:
        if isinstance(trigger, dict) and not isinstance(trigger.get("hpa"), dict):
            yield Violation(
                (*path, "hpa"),
                "the trigger names nothing to scale by",
                hint="write hpa: {}, which is 80 % of the cpu, or remove the trigger",
            )
