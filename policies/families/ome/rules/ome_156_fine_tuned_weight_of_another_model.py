"""A fine-tuned weight was made of another model than the service serves.

OME doesn't compare the two: the pods start, and the engine loads an adapter that doesn't fit its model, or refuses it.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, text, texts


@objects.warning(
    kinds=("InferenceService",),
    reads=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-of-the-model",
    bad="warns-of-a-fine-tuned-weight-of-another-model",
)
def check(given: Given) -> Said:
    model = part(given.spec, "model")
    name = text(model, "name")
    for index, weight in enumerate(texts(model, "fineTunedWeights")):
        found = FINE_TUNED_WEIGHTS.get(given.facts, "", weight)
        base = text(part(spec_of(found), "baseModelRef"), "name") if found is not None else ""
        if name and base and base != name:
            message = f'FineTunedWeight {weight} was made of model "{base}", not of "{name}"'
            yield Violation(("spec", "model", "fineTunedWeights", index), message, found=base, expected=name)
