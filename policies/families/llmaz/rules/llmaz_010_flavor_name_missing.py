"""A flavor has no name.

Nobody can claim it by name, and the choice of it is told to nobody.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of


@objects.error(kinds=("OpenModel",), good="accepts-a-hub-with-an-id", bad="refuses-a-flavor-with-a-comma")
def check(given: Given) -> Said:
    for flavor in flavors_of(given.object):
        if not flavor.name.strip() or "," in flavor.name:
            message = "the flavor has no name" if not flavor.name.strip() else "a name with a comma is read as two"
            yield Violation((*flavor.path, "name"), message, found=flavor.name, expected="such as a100")
