"""An argument of a runtime names a variable that llmaz doesn't have.

The variables are ModelPath, ModelName and DraftModelPath. Playgrounds that use the configuration are never served.

Source: llmaz 3c13ff3, pkg/controller_helper/backendruntime/backendruntime.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Similar, Violation, items, runtimes
from weighbridge.policies.families.llmaz.subject.runtime import VARIABLES, arguments_of, unknown_variables


@runtimes.error(good="accepts-the-path-of-the-model", bad="refuses-an-unknown-variable")
def check(given: Given) -> Said:
    near = Similar(VARIABLES)
    for place, found in enumerate(items(given.spec, "recommendedConfigs")):
        for index, name in unknown_variables(arguments_of(found)):
            path = ("spec", "recommendedConfigs", place, "args", index)
            yield Violation(path, f"llmaz has no variable {name}", found=name, nearest=near.to(name, otherwise=3))
