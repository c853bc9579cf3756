"""A service has more than one fine-tuned weight.

The schema allows a list, but OME serves one weight. With more the controller reports an error only in its log. Name
one.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services


@services.error(about=FAILURE, good="accepts-one-fine-tuned-weight", bad="refuses-two-fine-tuned-weights")
def check(service: Service) -> Said:
    names = service.weights
    if len(names) > 1:
        message = f"OME serves one fine-tuned weight, not {len(names)}"
        yield Violation(("spec", "model", "fineTunedWeights"), message, found=", ".join(names), expected="one")
