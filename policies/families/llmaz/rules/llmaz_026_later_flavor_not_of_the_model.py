"""A flavor of a claim, not the first, isn't one of the model's.

The scheduler plugin then passes over the claim: pods run on any node.

Source: InftyAI/scheduler-plugins 25a11fd ResourceFungibility.
"""

from __future__ import annotations

from policies.families.llmaz.rulebook import Reading, Said, Violation, services
from policies.families.llmaz.rules._examples import CLAIM_READS
from policies.ground.objects import name_of
from policies.ground.spelling import similar


@services.warning(
    reads=CLAIM_READS,
    good="accepts-a-flavor-of-the-model",
    bad="warns-of-a-second-flavor-that-the-model-lacks",
)
def check(reading: Reading) -> Said:
    if reading.main is None:
        return
    names = [flavor.name for flavor in reading.flavors]
    for place, name in enumerate(reading.claims.flavors):
        if place and name not in names:
            message = f"OpenModel {name_of(reading.main)} has no flavor {name}"
            yield Violation((*reading.claims.flavors_path, place), message, found=name, nearest=similar(name, names, otherwise=8))
