"""The fine-tuned weight of a service doesn't exist.

OME looks for the weight in the cluster, because FineTunedWeights have no namespace. Without the weight the controller reports an error
only in its log. The weight may come later in the same rollout, so the rule warns by default. The configuration's `references` can make it
an error. Create the weight first, or correct the name.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from weighbridge.policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, Said, Service, services


@services.warning(
    about=REFERENCE | FAILURE,
    reads=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-that-is-there",
    bad="warns-of-a-fine-tuned-weight-that-is-not-there",
)
def check(service: Service, given: Given) -> Said:
    for index, name in enumerate(service.weights):
        path = ("spec", "model", "fineTunedWeights", index)
        yield from FINE_TUNED_WEIGHTS.missing(given, path, name, f'the cluster has no FineTunedWeight "{name}"', hint="create it first")
