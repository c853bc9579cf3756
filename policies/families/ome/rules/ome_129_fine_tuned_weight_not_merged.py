"""A fine-tuned weight is marked as merged, but OME doesn't read the mark.

OME accepts only the boolean `true` in `configuration.merged_weights`. With anything else OME loads the weight as an adapter over its base
model. Write `true` or `false`, without quotes.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import JSONObject, Said, Violation, part, weights


@weights.warning(good="accepts-a-merged-weight", bad="warns-of-a-merged-weight-in-quotes")
def check(weight: JSONObject) -> Said:
    merged = part(weight, "configuration").get("merged_weights")
    if merged is not None and not isinstance(merged, bool):
        message = "only the boolean true counts, so OME loads the weight as an adapter"
        yield Violation(("spec", "configuration", "merged_weights"), message, expected="true or false, without quotes")
