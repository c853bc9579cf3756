"""No node of the cluster could serve a flavor.

A node has to have all limits and all labels of the flavor, and no taint but those for which pods get tolerations. Models may be there
before their nodes, so this warns.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.rules._examples import NODE_READS
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of


@objects.warning(
    kinds=("OpenModel",),
    reads=NODE_READS,
    good="accepts-flavors-without-selectors",
    bad="warns-of-a-flavor-that-no-node-has",
)
def check(given: Given) -> Said:
    flavors = flavors_of(given.object)
    for fit in fits_of(flavors, given.facts, given.config):
        if fit.fits or fit.is_unknown or fit.may_come:
            continue
        message = f"no node could serve flavor {fit.flavor.name}: {fit.reason}"
        yield Violation(fit.flavor.path, message, found=fit.flavor.name, nearest=fit.nearest)
