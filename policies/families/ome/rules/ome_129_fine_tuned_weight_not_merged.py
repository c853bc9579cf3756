"""A fine-tuned weight says that it is merged, and OME doesn't take it so.

Only the boolean `true` counts in `configuration.merged_weights`. Over anything else the weight is loaded as an adapter beside its base
model.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part


@objects.warning(
    kinds=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-by-lora",
    bad="warns-of-a-merged-weight-in-quotes",
)
def check(given: Given) -> Said:
    found = part(given.spec, "configuration").get("merged_weights")
    if found is not None and not isinstance(found, bool):
        message = "only the boolean true counts, and the weight is taken as an adapter"
        yield Violation(("spec", "configuration", "merged_weights"), message, expected="true or false, without quotes")
