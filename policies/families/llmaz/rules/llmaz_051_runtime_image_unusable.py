"""A runtime's image and version make no image.

The image is `image:version`. A part that is left open is stored empty, and a tag in the image makes two.

Source: llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text


@objects.error(
    kinds=("BackendRuntime",),
    good="accepts-a-registry-with-a-port",
    bad="refuses-a-missing-image",
)
def check(given: Given) -> Said:
    spec = given.spec
    if given.request.subresource or not isinstance(given.object, dict):
        return
    image = text(spec, "image")
    for name in ("image", "version"):
        if not text(spec, name).strip():
            yield Violation(("spec", name), f"the runtime has no {name}", hint="the image of pods is spec.image, a colon and spec.version")
    if ":" in image.rpartition("/")[2] or "@" in image:
        message = f"the image has a tag, and pods would get {image}:{text(spec, 'version')}"
        yield Violation(
            ("spec", "image"), message, found=image, expected=image.partition("@")[0].rpartition(":")[0] or image.partition("@")[0]
        )
