"""No node of the cluster could run the pods.

Either no node fits any of the flavors, or none has the limits of the first one. The pods get these limits, whichever flavor was meant.
Nodes that autoscalers may add or that the configuration expects count as well. Put a flavor first that fits a node.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.predictions.flavor_fit import claimed_fits, fits_of
from weighbridge.policies.families.llmaz.rulebook import PLACED_READS, PLACEMENT, Given, Said, Service, Violation, services
from weighbridge.policies.ground.records import replace


@services.error(
    about=PLACEMENT,
    reads=PLACED_READS,
    good="accepts-a-claimed-flavor-that-a-node-has",
    bad="refuses-the-only-flavor-when-no-node-has-it",
)
def check(service: Service, given: Given) -> Said:
    fits = claimed_fits(service, given.facts, given.config)
    if not fits or service.flavor is None:
        return
    path = service.claims.flavors_path
    if all(fit.is_hopeless for fit in fits):
        reasons = "; ".join(f"{fit.flavor.name}: {fit.reason}" for fit in fits)
        yield Violation(path, f"no node could serve any flavor: {reasons}", found=fits[0].flavor.name, nearest=fits[0].nearest)
        return
    anywhere = replace(service.flavor, node_selector={})
    [first] = fits_of([anywhere], given.facts, given.config, service.namespace, service.own_limits)
    if first.is_hopeless:
        others = [fit.flavor.name for fit in fits if fit.fits]
        message = f"the pods get the limits of flavor {first.flavor.name}, which no node has: {first.reason}"
        hint = f"claim {others[0]} first" if others else "claim a flavor that has nodes"
        yield Violation(path, message, hint, first.flavor.name, nearest=first.nearest)
