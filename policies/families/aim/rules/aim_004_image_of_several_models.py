"""A service asks for an image that several models have.

By an image the operator finds the models whose image is the same text, of the namespace and of the cluster. With more than one it doesn't
choose: the service is Degraded (kaiwo: Failed) for good. Name the model instead.

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.predictions.model import same_image
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Service, Violation, services
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.ground.spelling import listed


@services.error(
    about=FAILURE,
    mirrors="MultipleModelsFound",
    good="accepts-an-image-of-one-model",
    bad="refuses-an-image-of-several-models",
)
def check(service: Service, given: Given) -> Said:
    if service.model is not None and service.model.reason in ("UnknownError", "MultipleModelsFound"):
        image = text(part(service.spec, "model"), "image")
        found = same_image(image, given.group, service.namespace, given.facts)
        names = listed([f"{model.get('kind')} {name_of(model)}" for model in found])
        yield Violation(
            ("spec", "model", "image"),
            f"{len(found)} models have this image, and the operator chooses none: {names}",
            found=image,
            hint=f"name one of them in spec.model.{service.dialect.reference}",
        )
