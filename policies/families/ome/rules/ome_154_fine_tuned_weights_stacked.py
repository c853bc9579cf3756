"""A service has more than one fine-tuned weight.

The schema takes a list, and OME serves one. The controller fails with more, in its log alone.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, texts


@objects.error(
    kinds=("InferenceService",),
    about=FAILURE,
    good="accepts-one-fine-tuned-weight",
    bad="refuses-two-fine-tuned-weights",
)
def check(given: Given) -> Said:
    names = texts(part(given.spec, "model"), "fineTunedWeights")
    if len(names) > 1:
        message = f"OME serves one fine-tuned weight, not {len(names)}"
        yield Violation(("spec", "model", "fineTunedWeights"), message, found=", ".join(names), expected="one")
