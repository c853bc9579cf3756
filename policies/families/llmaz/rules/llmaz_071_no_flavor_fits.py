"""No node of the cluster could serve the pods.

Either none could serve any of the flavors, or none has the limits of the first one, which the pods get whichever flavor was meant.
Nodes that autoscalers or the configuration announce count as well.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of
from weighbridge.policies.families.llmaz.rulebook import PLACEMENT, Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import PLACED_READS
from weighbridge.policies.families.llmaz.subject.flavors import considered


@services.error(
    about=PLACEMENT,
    reads=PLACED_READS,
    good="accepts-a-claimed-flavor-that-a-node-has",
    bad="refuses-the-only-flavor-when-no-node-has-it",
)
def check(serving: Serving, given: Given) -> Said:
    fits = fits_of(considered(serving.claims, serving.flavors), given.facts, given.config, serving.namespace, serving.own_limits)
    if not fits or serving.flavor is None:
        return
    path = serving.claims.flavors_path
    if not any(fit.fits or fit.may_come or fit.is_unknown for fit in fits):
        reasons = "; ".join(f"{fit.flavor.name}: {fit.reason}" for fit in fits)
        yield Violation(path, f"no node could serve any flavor: {reasons}", found=fits[0].flavor.name, nearest=fits[0].nearest)
        return
    first = fits_of([replace(serving.flavor, node_selector={})], given.facts, given.config, serving.namespace, serving.own_limits)[0]
    if not (first.fits or first.may_come or first.is_unknown):
        others = [fit.flavor.name for fit in fits if fit.fits]
        message = f"the pods get the limits of flavor {first.flavor.name}, which no node has: {first.reason}"
        hint = f"claim {others[0]} first" if others else "claim a flavor of which there are nodes"
        yield Violation(path, message, found=first.flavor.name, nearest=first.nearest, hint=hint)
