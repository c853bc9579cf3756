"""A name is too long for the name of the Service in front of the pods.

That Service is named `<name>-lb`, and a Service's name has at most 63 characters. The API server stores the object, but the controller
fails again and again. Write at most 60 characters.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.kinds import BALANCER_SUFFIX, LONGEST_NAME
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Operation, Said, Violation, objects


@objects.error(
    kinds=("Playground", "Service"),
    about=FAILURE,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-a-name-of-61-characters",
)
def check(given: Given) -> Said:
    if given.request.operation is Operation.CREATE and LONGEST_NAME < len(given.name) <= 63:
        message = f"the name of the Service in front, which ends with {BALANCER_SUFFIX}, has more than 63 characters"
        yield Violation(("metadata", "name"), message, found=given.name, expected=f"at most {LONGEST_NAME} characters")
