"""A service names an image that several models have.

The operator compares the image, as text, with the images of the models in the namespace and in the cluster. If several models match, it
chooses none of them, and the service stays Degraded (kaiwo: Failed). Name the model instead.

Source: aim-engine v0.2.1, internal/aimservice/model.go; kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go.
"""

from weighbridge.policies.families.aim.predictions.model import same_image
from weighbridge.policies.families.aim.rulebook import FAILURE, Given, Said, Service, Violation, listed, name_of, part, services, text


@services.error(
    about=FAILURE, mirrors="MultipleModelsFound", good="accepts-an-image-of-one-model", bad="refuses-an-image-of-several-models"
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
