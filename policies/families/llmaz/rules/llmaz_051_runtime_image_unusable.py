"""A runtime's image and version don't form a valid image reference.

The image of the pods is `image:version`. A missing part is empty, and with a tag in `image` there are two tags.

Source: llmaz 3c13ff3, pkg/controller_helper/backendruntime/backendruntime.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, runtimes, text


@runtimes.error(good="accepts-a-registry-with-a-port", bad="refuses-a-missing-image")
def check(given: Given) -> Said:
    image, version = text(given.spec, "image"), text(given.spec, "version")
    for name, value in (("image", image), ("version", version)):
        if not value.strip():
            yield Violation(("spec", name), f"the runtime has no {name}", hint="the image of pods is spec.image, a colon and spec.version")
    if ":" in image.rpartition("/")[2] or "@" in image:
        name = image.partition("@")[0]
        message = f"the image has a tag, and pods would get {image}:{version}"
        yield Violation(("spec", "image"), message, found=image, expected=name.rpartition(":")[0] or name)
