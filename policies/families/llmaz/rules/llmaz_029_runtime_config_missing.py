"""The runtime has no recommended configuration with the requested name.

Without `configName` the controller looks for `default`, or with a draft for `speculative-decoding`. It fails again and again, and the
Playground gets no condition. Name a configuration that the runtime has.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Service, Violation, playgrounds, similar
from weighbridge.policies.families.llmaz.subject.runtime import config_names


@playgrounds.error(
    about=FAILURE,
    mirrors="failed to parse backendRuntime",
    good="accepts-a-configuration-of-the-runtime",
    bad="refuses-a-configuration-that-the-runtime-lacks",
)
def check(service: Service) -> Said:
    if service.runtime is None or service.config is not None:
        return
    choice, names = service.choice, config_names(service.runtime)
    message = f"BackendRuntime {choice.runtime} has no configuration {choice.config or 'with an empty name'}"
    path = ("spec", "backendRuntimeConfig", "configName")
    yield Violation(path, message, found=choice.config, nearest=similar(choice.config, names, otherwise=4))
