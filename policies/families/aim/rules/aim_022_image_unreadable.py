"""An image can't be read as a reference.

A repository has no upper-case letters, and a colon or an `@` must be followed by a tag or a digest. The operator can't request the labels
of such an image from the registry: the model stays Degraded, and every service of it fails. Write an image such as
`ghcr.io/acme/llama:1.0`.

Source: aim-engine v0.2.1, internal/aimservice/model.go; kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, JSONObject, Said, Violation, lookup, specs
from weighbridge.policies.families.aim.subject.images import is_image


@specs.error(
    kinds=("AIMService", "AIMModel", "AIMClusterModel"),
    about=FAILURE,
    good="accepts-an-image-with-a-tag",
    bad="refuses-an-image-with-nothing-after-the-at-sign",
)
def check(spec: JSONObject) -> Said:
    for path in (("image",), ("model", "image"), ("model", "custom", "baseImage")):
        found = lookup(spec, path)
        # AIM-016 or the CRD reports an empty image.
        if not isinstance(found, str) or not found.strip() or is_image(found.strip()):
            continue
        lower = found.lower() if is_image(found.lower()) else ""
        yield Violation(
            ("spec", *path),
            f'"{found}" can\'t be read as an image' + (": a repository has no upper-case letters" if lower else ""),
            found=found,
            expected=lower or "such as ghcr.io/acme/llama:1.0",
        )
