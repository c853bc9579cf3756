"""A fine-tuned weight has no configuration.

The schema doesn't require a configuration, but OME reads it as JSON whenever a service uses the weight. Without a configuration that
fails, and the service is never deployed. Write at least `{}`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import JSONObject, Said, Violation, weights


@weights.error(good="accepts-a-fine-tuned-weight-by-lora", bad="refuses-a-fine-tuned-weight-without-a-configuration")
def check(weight: JSONObject) -> Said:
    if "configuration" not in weight:
        message = "services that use it are never deployed: OME reads the configuration, which is missing"
        yield Violation(("spec", "configuration"), message, hint="write at least {}")
