"""A flavor has no name.

No claim can name it, so it isn't clear when the pods get it. Write a name without a comma.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Violation, flavors


@flavors.error(good="accepts-a-hub-with-an-id", bad="refuses-a-flavor-with-a-comma")
def check(flavors: Flavors) -> Said:
    for flavor in flavors:
        if not flavor.name.strip() or "," in flavor.name:
            message = "the flavor has no name" if not flavor.name.strip() else "a name with a comma is read as two"
            yield Violation((*flavor.path, "name"), message, found=flavor.name, expected="such as a100")
