"""The cluster has no BackendRuntime with the requested name.

The controller fails again and again, and the Playground gets no condition. Without a name it looks for `vllm`. Create the runtime, or name
one that exists.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, REFERENCE, Given, Said, Service, Violation, playgrounds
from weighbridge.policies.families.llmaz.subject.references import RUNTIMES


@playgrounds.warning(
    about=REFERENCE | FAILURE,
    mirrors="BackendRuntime.inference.llmaz.io not found",
    good="accepts-a-runtime-by-its-name",
    bad="warns-of-a-runtime-in-capitals",
)
def check(service: Service, given: Given) -> Said:
    path, name, hint = ("spec", "backendRuntimeConfig", "backendName"), service.choice.runtime, "create it, or name one that exists"
    if name:
        yield from RUNTIMES.missing(given, path, name, f"BackendRuntime {name} doesn't exist", hint=hint)
    else:
        yield Violation(path, "the name of the BackendRuntime is empty", hint, nearest=RUNTIMES.nearest(given.facts, "", ""))
