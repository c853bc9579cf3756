"""A limit of a Playground is below what its runtime requests, and is raised to that.

The request is the runtime's where the Playground has none. Write the request beside the limit.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.resources import merged
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.fields import part


@services.warning(
    kinds=("Playground",),
    reads=CLAIM_READS,
    good="accepts-a-limit-above-its-request",
    bad="warns-of-a-limit-below-the-request-of-the-runtime",
)
def check(serving: Serving, given: Given) -> Said:
    own = part(given.spec, "backendRuntimeConfig").get("resources")
    if not isinstance(own, dict) or serving.config is None:
        return
    for name, value in merged(own, part(serving.config, "resources")).get("limits", {}).items():
        written = part(own, "limits").get(name)
        if written is not None and written != value and name not in part(own, "requests"):
            message = f"the runtime requests {value} of {name}, to which the limit is raised"
            yield Violation(
                ("spec", "backendRuntimeConfig", "resources", "limits", name),
                message,
                found=str(written),
                hint="give the request as well",
            )
