"""An argument of a Playground has a variable that llmaz doesn't fill in.

llmaz fills in variables only in the arguments of the runtime; it passes the Playground's arguments to the engine unchanged.
Write the value, or add a configuration to the BackendRuntime.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects, part, texts


@objects.warning(kinds=("Playground",), good="accepts-a-plain-argument", bad="warns-of-a-variable-in-an-argument")
def check(given: Given) -> Said:
    for place, argument in enumerate(texts(part(given.spec, "backendRuntimeConfig"), "args")):
        if "{{" in argument:
            path, hint = ("spec", "backendRuntimeConfig", "args", place), "write the value, or add a configuration to the BackendRuntime"
            yield Violation(path, "llmaz doesn't fill in variables in arguments of Playgrounds", hint, argument)
