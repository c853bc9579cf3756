"""A scaling trigger has no `hpa`.

llmaz's webhook refuses such a Playground. The API server stores such a runtime, and the controller panics at every elastic Playground that
uses it. Write `hpa: {}`, or remove the trigger.

Source: llmaz 3c13ff3, pkg/webhook/playground_webhook.go and pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, JSONObject, Path, Said, Violation, items, objects, part


@objects.error(
    kinds=("Playground", "BackendRuntime"),
    about=FAILURE,
    mirrors="hpa couldn't be nil",
    good="accepts-a-trigger-of-its-own",
    bad="refuses-a-trigger-without-hpa",
)
def check(given: Given) -> Said:
    holders: list[tuple[Path, JSONObject]] = [(("spec", "elasticConfig"), part(given.spec, "elasticConfig"))]
    holders += [(("spec", "recommendedConfigs", place), found) for place, found in enumerate(items(given.spec, "recommendedConfigs"))]
    for path, holder in holders:
        trigger = holder.get("scaleTrigger")
        if isinstance(trigger, dict) and not isinstance(trigger.get("hpa"), dict):
            hint = "write hpa: {}, which means 80 % of the CPU, or remove the trigger"
            yield Violation((*path, "scaleTrigger", "hpa"), "the trigger has no hpa", hint)
