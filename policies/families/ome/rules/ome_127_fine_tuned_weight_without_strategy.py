"""A fine-tuned weight doesn't say by which strategy it was made.

OME takes `hyperParameters.strategy` as a text, such as `lora`. Where it is absent the service's Deployment is refused for a volume that
isn't there, and over a number the controller panics. The service shows neither.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part


@objects.error(
    kinds=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-by-lora",
    bad="refuses-a-fine-tuned-weight-without-a-strategy",
)
def check(given: Given) -> Said:
    spec = given.spec
    strategy = part(spec, "hyperParameters").get("strategy")
    if not isinstance(strategy, str) or not strategy:
        message = "services that use it are never deployed: OME needs the strategy as a text"
        yield Violation(("spec", "hyperParameters", "strategy"), message, expected="lora or tfew")
