"""An argument of a Playground has a variable that nobody puts in.

Only the arguments of the runtime are filled in; those of the Playground reach the engine as they are written.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, texts


@objects.warning(
    kinds=("Playground",),
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="warns-of-a-variable-in-an-argument",
)
def check(given: Given) -> Said:
    for place, argument in enumerate(texts(part(given.spec, "backendRuntimeConfig"), "args")):
        if "{{" in argument:
            hint = "write the value, or add a configuration to the BackendRuntime"
            yield Violation(
                ("spec", "backendRuntimeConfig", "args", place),
                "variables aren't put into arguments of Playgrounds",
                found=argument,
                hint=hint,
            )
