"""A llmaz Service with the Playground's name exists and has another owner, or none.

The controller then creates nothing for the Playground. Kubernetes Services of the name don't matter. Choose another
name.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.playground import is_name_taken
from weighbridge.policies.families.llmaz.rulebook import CLAIM_READS, FAILURE, Given, Said, Service, Violation, playgrounds


@playgrounds.error(
    about=FAILURE,
    mirrors="Playground owns the same name with an existing Service",
    reads=(*CLAIM_READS, "Service"),
    good="accepts-a-name-that-is-free",
    bad="refuses-the-name-of-a-service",
)
def check(service: Service, given: Given) -> Said:
    if is_name_taken(service, given.facts):
        message = "a Service of llmaz has this name already, and no Playground of this name owns it"
        yield Violation(("metadata", "name"), message, found=service.name, hint="choose another name")
