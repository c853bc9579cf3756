"""A fine-tuned weight is for another model than the service serves.

OME doesn't compare the two: the pods start, and the engine loads an adapter that doesn't fit its model, or refuses it. Name a weight for
this model, or the model that the weight is for.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, part, services, spec_of, text


@services.warning(
    reads=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-of-the-model",
    bad="warns-of-a-fine-tuned-weight-of-another-model",
)
def check(service: Service) -> Said:
    name = text(part(service.written, "model"), "name")
    for index, weight in enumerate(service.weights):
        base = text(part(spec_of(FINE_TUNED_WEIGHTS.get(service.facts, "", weight)), "baseModelRef"), "name")
        if name and base and base != name:
            message = f'FineTunedWeight {weight} is fine-tuned from model "{base}", not from "{name}"'
            yield Violation(("spec", "model", "fineTunedWeights", index), message, found=base, expected=name)
