"""A fine-tuned weight doesn't name the strategy of its fine-tuning.

OME reads `hyperParameters.strategy` as a text, such as `lora`. Without it the API server refuses the service's Deployment because of a
volume that doesn't exist. If it is a number, the controller panics. The service shows neither.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import JSONObject, Said, Violation, part, text, weights


@weights.error(good="accepts-a-fine-tuned-weight-by-lora", bad="refuses-a-fine-tuned-weight-without-a-strategy")
def check(weight: JSONObject) -> Said:
    if not text(part(weight, "hyperParameters"), "strategy"):
        message = "services that use it are never deployed: OME needs the strategy as a text"
        yield Violation(("spec", "hyperParameters", "strategy"), message, expected="lora or tfew")
