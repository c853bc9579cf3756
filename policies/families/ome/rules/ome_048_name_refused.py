"""A service's name begins with a digit or has a dot.

OME's webhook allows lower-case letters, digits and hyphens, with a letter first and no hyphen last. Choose such a name.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, services
from weighbridge.policies.ground.expressions import expression

_NAME: Final = expression("[a-z](?:[-a-z0-9]*[a-z0-9])?")


@services.error(
    about=FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    good="accepts-a-model-of-the-cluster",
    bad="refuses-a-service-named-with-a-dot",
)
def check(service: Service) -> Said:
    if service.name and not _NAME.fullmatch(service.name):
        yield Violation(
            ("metadata", "name"),
            "OME's webhook refuses the name",
            found=service.name,
            expected="small letters, digits and hyphens, with a letter first and no hyphen last",
        )
