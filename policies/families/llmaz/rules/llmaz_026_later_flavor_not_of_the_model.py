"""A flavor of a claim, not the first, isn't one of the model's.

The scheduler plugin then passes over the claim: pods run on any node.

Source: InftyAI/scheduler-plugins 25a11fd ResourceFungibility.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.ground.spelling import similar


@services.warning(
    reads=CLAIM_READS,
    good="accepts-a-flavor-of-the-model",
    bad="warns-of-a-second-flavor-that-the-model-lacks",
)
def check(serving: Serving) -> Said:
    if serving.main is None:
        return
    names = [flavor.name for flavor in serving.flavors]
    for place, name in enumerate(serving.claims.flavors):
        if place and name not in names:
            message = f"OpenModel {name_of(serving.main)} has no flavor {name}"
            yield Violation((*serving.claims.flavors_path, place), message, found=name, nearest=similar(name, names, otherwise=8))
