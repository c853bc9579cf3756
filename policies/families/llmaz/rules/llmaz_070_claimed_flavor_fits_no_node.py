"""No node of the cluster could serve a flavor that may be chosen, and nodes could serve another.

Each flavor of the claim, or of the model where the claim names none, is told with its reason. The pods have the first one's limits.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import PLACED_READS
from weighbridge.policies.families.llmaz.subject.flavors import considered


@services.warning(
    reads=PLACED_READS,
    good="accepts-a-claimed-flavor-that-a-node-has",
    bad="warns-of-a-later-flavor-that-no-node-has",
)
def check(serving: Serving, given: Given) -> Said:
    fits = fits_of(considered(serving.claims, serving.flavors), given.facts, given.config, serving.namespace, serving.own_limits)
    others = [fit.flavor.name for fit in fits if fit.fits]
    for fit in fits if others else ():
        if fit.fits or fit.is_unknown or fit.may_come:
            continue
        message = f"no node could serve flavor {fit.flavor.name}: {fit.reason}"
        hint = f"claim {others[0]} alone or first, which a node could serve"
        yield Violation(serving.claims.flavors_path, message, found=fit.flavor.name, nearest=fit.nearest, hint=hint)
