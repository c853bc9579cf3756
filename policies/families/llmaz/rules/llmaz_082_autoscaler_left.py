"""A Playground is no longer elastic, but its autoscaler stays.

llmaz creates and changes the autoscaler of an elastic Playground, but never deletes it. Without `elasticConfig` or its trigger the
autoscaler continues to scale the Playground within the old bounds, until the Playground is deleted. Delete the autoscaler.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.playground import autoscaler_of
from weighbridge.policies.families.llmaz.rulebook import Given, Operation, Said, Service, Violation, playgrounds
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.families.llmaz.subject.references import runtime_of
from weighbridge.policies.families.llmaz.subject.runtime import choice_of
from weighbridge.policies.ground.records import replace


@playgrounds.warning(good="accepts-a-playground-that-stays-elastic", bad="warns-of-an-autoscaler-that-stays")
def check(service: Service, given: Given) -> Said:
    old = given.request.old_object
    if given.request.operation is not Operation.UPDATE or not isinstance(old, dict) or _may_have_one(service):
        return
    claims = claims_of(old)
    choice = choice_of(old, claims)
    former = replace(service, object=old, claims=claims, choice=choice, runtime=runtime_of(choice.runtime, given.facts))
    if autoscaler_of(former)[0] is not None:
        message = f"llmaz doesn't delete HorizontalPodAutoscaler {service.name}, which continues to scale this Playground"
        yield Violation(("spec", "elasticConfig"), message, "delete the HorizontalPodAutoscaler")


def _may_have_one(service: Service) -> bool:
    """Whether there is an autoscaler, even a refused one, or may be one because the runtime isn't known."""
    return autoscaler_of(service) != (None, "") or (bool(service.elastic) and service.runtime is None)
