"""A service has a `spec.runtime` without a name.

OME's webhook takes the runtime for given and looks at none, then its controller selects one as if nothing stood there: what the webhook
would have refused fails without a word. Name the runtime, or leave `spec.runtime` out.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-runtime-without-a-name",
)
def check(given: Given) -> Said:
    runtime = given.spec.get("runtime")
    if isinstance(runtime, dict) and not text(runtime, "name"):
        message = "a runtime without a name is none: OME's webhook checks nothing, and its controller selects one"
        yield Violation(("spec", "runtime", "name"), message, hint="name the runtime, or leave spec.runtime out")
