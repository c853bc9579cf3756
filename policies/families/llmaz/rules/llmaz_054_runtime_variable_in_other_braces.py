"""An argument of a runtime has braces that llmaz doesn't fill in.

llmaz only fills in variables such as `{{ .ModelPath }}`; the engine gets any other text in braces unchanged.

Source: llmaz 3c13ff3, pkg/controller_helper/backendruntime/backendruntime.go.
"""

from typing import Final

from weighbridge.policies.families.llmaz.predictions.runtime import arguments_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, items, runtimes
from weighbridge.policies.ground.expressions import expression

_VARIABLE: Final = expression(r"\{\{\s*\.\w+\s*\}\}")


@runtimes.warning(good="accepts-a-runtime-with-a-default", bad="warns-of-braces-without-a-dot")
def check(given: Given) -> Said:
    for place, found in enumerate(items(given.spec, "recommendedConfigs")):
        for index, argument in enumerate(arguments_of(found)):
            if "{{" in _VARIABLE.sub("", argument):
                path = ("spec", "recommendedConfigs", place, "args", index)
                yield Violation(
                    path,
                    "llmaz doesn't replace these braces, so the engine gets them as they are",
                    found=argument,
                    expected="{{ .ModelPath }}",
                )
