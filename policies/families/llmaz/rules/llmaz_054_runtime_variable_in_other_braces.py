"""An argument of a runtime has braces that llmaz doesn't fill in.

llmaz only fills in variables such as `{{ .ModelPath }}`; the engine gets any other text in braces unchanged.

Source: llmaz 3c13ff3, pkg/controller_helper/backendruntime/backendruntime.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, items, runtimes
from weighbridge.policies.families.llmaz.subject.runtime import VARIABLE, arguments_of


@runtimes.warning(good="accepts-braces-with-a-dot", bad="warns-of-braces-without-a-dot")
def check(given: Given) -> Said:
    for place, found in enumerate(items(given.spec, "recommendedConfigs")):
        for index, argument in enumerate(arguments_of(found)):
            if "{{" in VARIABLE.sub("", argument):
                path = ("spec", "recommendedConfigs", place, "args", index)
                yield Violation(
                    path,
                    "llmaz doesn't replace these braces, so the engine gets them as they are",
                    found=argument,
                    expected="{{ .ModelPath }}",
                )
