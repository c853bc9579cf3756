"""The image of a runner, if the configuration has a mirror or a pin for the runtime's image.

A cluster without access to public registries can't start runtimes as upstream ships them. If the service names its runtime but no image,
Weighbridge writes the runtime's image into the runner, with the mirrors and pins in `images` of the configuration, together with the name
that a runner must have. It doesn't change a service that names no runtime: with its own image, OME's webhook would treat it as a service
that needs no runtime.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go and config/runtimes.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration, image_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.runtime import Runtime
from weighbridge.policies.families.ome.subject.service_spec import has_component, runtime_name
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import Path

_NO_LONGER: Final = "the configuration has no other image for the runtime's"


def fill_images(mutation: Mutation, runtime: Runtime | None, config: Configuration) -> None:
    """Fill in the images of a service's runners."""
    if runtime is None or not runtime_name(mutation.object):
        return
    for name, field in COMPONENTS.items():
        runner = part(runtime.spec, field, "runner")
        path: Path = ("spec", name, "runner", "image")
        if has_component(mutation.object, name) and text(runner, "name"):
            found = _filling(text(runner, "image"), runtime, config)
            settle_value(mutation, path, lambda _, found=found: found, no_longer=_NO_LONGER)  # type: ignore[misc]


def _filling(image: str, runtime: Runtime, config: Configuration) -> Filling | None:
    value = image_of(config, image) if image else ""
    if not value or value == image or not config.fills_in_image(value):
        return None
    return Filling(value, "configuration", f"images, for {image} of {runtime.title}")
