"""A claim names a flavor twice.

The order of the flavors is a preference, in which the second mention does nothing.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.claims import claims_of


@objects.warning(
    kinds=("Playground", "Service"),
    good="accepts-a-flavor-of-the-model",
    bad="warns-of-a-flavor-that-is-claimed-twice",
)
def check(given: Given) -> Said:
    claims = claims_of(given.object)
    for place, name in enumerate(claims.flavors):
        if name in claims.flavors[:place]:
            yield Violation((*claims.flavors_path, place), "the flavor is claimed before", found=name)
