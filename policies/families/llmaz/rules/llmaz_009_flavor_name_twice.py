"""Two flavors of a model have the same name.

A claim of that name gets the first flavor; llmaz never uses the other. Give each flavor its own name.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Violation, flavors


@flavors.error(good="accepts-two-flavors", bad="refuses-two-flavors-of-one-name")
def check(flavors: Flavors) -> Said:
    seen: set[str] = set()
    for flavor in flavors:
        if flavor.name and flavor.name in seen:
            message = "another flavor has this name, and llmaz uses that one"
            yield Violation((*flavor.path, "name"), message, found=flavor.name, hint="give each flavor its own name")
        seen.add(flavor.name)
