"""The fine-tuned weight of a service isn't there.

It is looked for in the cluster, since FineTunedWeights have no namespace. The controller fails without it, in its log alone. It may come
later in the same rollout, so by default this warns; the configuration's `references` decides.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/components/engine.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.ground.fields import part, texts


@objects.warning(
    kinds=("InferenceService",),
    about=REFERENCE | FAILURE,
    reads=("FineTunedWeight",),
    good="accepts-a-fine-tuned-weight-that-is-there",
    bad="warns-of-a-fine-tuned-weight-that-is-not-there",
)
def check(given: Given) -> Said:
    for index, name in enumerate(texts(part(given.spec, "model"), "fineTunedWeights")):
        is_missing = FINE_TUNED_WEIGHTS.is_missing(given.facts, "", name)
        if is_missing is None:
            yield NotChecked(FINE_TUNED_WEIGHTS.unknown)
        elif is_missing:
            message = f'the cluster has no FineTunedWeight "{name}"'
            nearest = FINE_TUNED_WEIGHTS.nearest(given.facts, "", name)
            path = ("spec", "model", "fineTunedWeights", index)
            yield Violation(path, message, hint="create it first", found=name, nearest=nearest)
