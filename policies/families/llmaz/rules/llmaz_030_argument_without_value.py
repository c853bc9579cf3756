"""An argument of the runtime needs a model that the claim lacks.

The path of a draft needs a draft, and the path of a model needs an ID or an address. The controller fails again and again, and the
Playground gets no condition. Claim such a model, or use another configuration.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Service, Violation, playgrounds
from weighbridge.policies.families.llmaz.subject.runtime import arguments_of, rendered, variables_of


@playgrounds.error(
    about=FAILURE,
    mirrors="missing flag or the flag has format error",
    good="accepts-a-configuration-of-the-runtime",
    bad="refuses-the-speculative-configuration-for-one-model",
)
def check(service: Service) -> Said:
    claims, choice = service.claims, service.choice
    is_whole = not (service.missing or service.unknown) and (not claims.has_draft or (len(claims.models), len(claims.mains)) == (2, 1))
    if service.config is None or not service.sources or not is_whole:
        return
    _, wrong = rendered(arguments_of(service.config), variables_of(service.sources, skips=service.skips))
    if wrong:
        message = f"the argument {wrong} of BackendRuntime {choice.runtime} can't be filled in for these models"
        hint = "claim a main model and a draft" if "Draft" in wrong else "give the model an ID, or take another configuration"
        yield Violation(("spec", "backendRuntimeConfig", "configName"), message, hint, choice.config)
