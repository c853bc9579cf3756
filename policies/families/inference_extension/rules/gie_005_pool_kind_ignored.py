"""The pool reference names a kind other than InferencePool, which nothing reads.

The endpoint picker compares the name alone: a reference to a Service or a misspelt kind routes as if it said InferencePool, until a
version that checks it drops the model.

Source: Gateway API Inference Extension v0.5.1; upstream issues 1275, 1306.
"""

from __future__ import annotations

from weighbridge.policies.families.inference_extension.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.objects import lookup


@objects.warning(
    kinds=("InferenceModel",),
    good="accepts-a-model-of-a-pool",
    bad="warns-of-a-pool-kind-that-is-not-read",
)
def check(given: Given) -> Said:
    kind = lookup(given.spec, ("poolRef", "kind"))
    if isinstance(kind, str) and kind != "InferencePool":
        yield Violation(
            ("spec", "poolRef", "kind"),
            f'"{kind}" has no effect; the reference is read as an InferencePool',
            found=kind,
            expected="InferencePool",
            hint="remove kind",
        )
