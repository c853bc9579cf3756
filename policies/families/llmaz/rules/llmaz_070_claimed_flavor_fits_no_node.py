"""No node fits one of the flavors, but nodes fit another one.

The finding lists each flavor of the claim with its reason, or each flavor of the model if the claim names none. The pods get the
limits of the first one. Claim only the flavor that fits a node, or claim it first.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.predictions.flavor_fit import claimed_fits
from weighbridge.policies.families.llmaz.rulebook import PLACED_READS, Given, Said, Service, Violation, services


@services.warning(reads=PLACED_READS, good="accepts-a-claimed-flavor-that-a-node-has", bad="warns-of-a-later-flavor-that-no-node-has")
def check(service: Service, given: Given) -> Said:
    fits = claimed_fits(service, given.facts, given.config)
    others = [fit.flavor.name for fit in fits if fit.fits]
    for fit in fits:
        if others and fit.is_hopeless:
            message = f"no node could serve flavor {fit.flavor.name}: {fit.reason}"
            hint = f"claim only {others[0]}, or claim it first: it fits a node"
            yield Violation(service.claims.flavors_path, message, hint, fit.flavor.name, nearest=fit.nearest)
