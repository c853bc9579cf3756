"""The model doesn't have the first flavor of a claim.

The pods get the limits of the claim's first flavor. Without such a flavor they get none, so the engine runs without a GPU, and nothing
reports it. Names are case-sensitive. Write the name of one of the model's flavors.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, name_of, services, similar
from weighbridge.policies.families.llmaz.subject.accelerators import accelerators_of


@services.error(good="accepts-a-flavor-of-the-model", bad="refuses-a-flavor-in-capitals")
def check(service: Service) -> Said:
    names = [flavor.name for flavor in service.flavors]
    for first in service.claims.flavors[:1]:
        if service.main is not None and first not in names:
            lost = "no flavor's limits" if accelerators_of(service.own_limits) else "no accelerator"
            message = f"OpenModel {name_of(service.main)} has no flavor {first}, so the pods get {lost}"
            yield Violation((*service.claims.flavors_path, 0), message, found=first, nearest=similar(first, names, otherwise=8))
