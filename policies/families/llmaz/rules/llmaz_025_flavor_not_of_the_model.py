"""The first flavor of a claim isn't one of the model's.

Its limits are those that pods get: there are none, so the engine runs without a GPU, and nobody is told. Names are compared letter by
letter.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.llmaz.subject.flavors import flavor_named
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.ground.spelling import similar


@services.error(
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-a-flavor-in-capitals",
)
def check(serving: Serving) -> Said:
    if serving.main is None or not serving.claims.flavors:
        return
    first = serving.claims.flavors[0]
    if flavor_named(serving.flavors, first) is None:
        names = [flavor.name for flavor in serving.flavors]
        message = f"OpenModel {name_of(serving.main)} has no flavor {first}, so the pods get no accelerator"
        yield Violation((*serving.claims.flavors_path, 0), message, found=first, nearest=similar(first, names, otherwise=8))
