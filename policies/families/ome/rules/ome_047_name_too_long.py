"""A service's name is too long for a label.

OME writes the name into a label of the ConfigMap that describes the model. The API server refuses a label of more than 63 characters, and
OME deploys nothing. Choose a shorter name.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services

_LONGEST: Final = 63


@services.error(about=FAILURE, good="accepts-a-model-of-the-cluster", bad="refuses-a-service-with-too-long-a-name")
def check(service: Service) -> Said:
    if len(service.name) > _LONGEST:
        yield Violation(
            ("metadata", "name"),
            f"it has {len(service.name)} characters, but a label's value has at most {_LONGEST}",
            found=service.name,
            expected=f"{_LONGEST} characters or fewer",
        )
