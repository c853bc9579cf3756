"""No node of the cluster fits a flavor.

A node needs all limits and all labels of the flavor, and must not have a taint that the pods don't tolerate. A model may come before its
nodes, so the rule only warns.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of
from weighbridge.policies.families.llmaz.rulebook import NODE_READS, Flavors, Given, Said, Violation, flavors


@flavors.warning(reads=NODE_READS, good="accepts-flavors-without-selectors", bad="warns-of-a-flavor-that-no-node-has")
def check(flavors: Flavors, given: Given) -> Said:
    for fit in fits_of(flavors, given.facts, given.config):
        if fit.is_hopeless:
            message = f"no node could serve flavor {fit.flavor.name}: {fit.reason}"
            yield Violation(fit.flavor.path, message, found=fit.flavor.name, nearest=fit.nearest)
