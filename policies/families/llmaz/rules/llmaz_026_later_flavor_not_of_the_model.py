"""The model doesn't have a later flavor of a claim.

The scheduler plugin then ignores the claim, and the pods run on any node. Write the names of the model's flavors.

Source: InftyAI/scheduler-plugins 25a11fd, pkg/plugins/resource_fungibility.
"""

from weighbridge.policies.families.llmaz.rulebook import Said, Service, Similar, Violation, name_of, services


@services.warning(good="accepts-a-flavor-of-the-model", bad="warns-of-a-second-flavor-that-the-model-lacks")
def check(service: Service) -> Said:
    names = dict.fromkeys(flavor.name for flavor in service.flavors)
    near = Similar(names)
    for place, name in enumerate(service.claims.flavors):
        if service.main is not None and place and name not in names:
            message = f"OpenModel {name_of(service.main)} has no flavor {name}"
            yield Violation((*service.claims.flavors_path, place), message, found=name, nearest=near.to(name, otherwise=8))
