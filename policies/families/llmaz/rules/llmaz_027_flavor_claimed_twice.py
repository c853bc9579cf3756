"""A claim names a flavor twice.

The order of the flavors is a preference, so the second entry has no effect. Remove it.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Claims, Said, Violation, claims
from weighbridge.policies.ground.fields import repeats


@claims.warning(good="accepts-a-flavor-of-the-model", bad="warns-of-a-flavor-that-is-claimed-twice")
def check(claims: Claims) -> Said:
    for place, (name, is_repeated) in enumerate(zip(claims.flavors, repeats(claims.flavors), strict=True)):
        if is_repeated:
            yield Violation((*claims.flavors_path, place), "the flavor is claimed already", found=name, hint="remove this entry")
