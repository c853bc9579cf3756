"""A runtime's image and version make no image.

The image is `image:version`. A part that is left open is stored empty, and a tag in the image makes two.

Source: llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if request.subresource or not isinstance(request.object, dict):
        return
    image = text(spec, "image")
    for name in ("image", "version"):
        if not text(spec, name).strip():
            yield RULE.finding(
                ("spec", name), f"the runtime has no {name}", hint="the image of pods is spec.image, a colon and spec.version"
            )
    if ":" in image.rpartition("/")[2] or "@" in image:
        message = f"the image has a tag, and pods would get {image}:{text(spec, 'version')}"
        yield RULE.finding(
            ("spec", "image"), message, found=image, expected=image.partition("@")[0].rpartition(":")[0] or image.partition("@")[0]
        )


RULE = Rule(
    id="LLMAZ-051",
    name="runtime-image-unusable",
    severity=Severity.ERROR,
    kinds=("BackendRuntime",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/backendruntime/backendruntime.go",
    check=_check,
    good="image: acme/engine\nversion: v1",
    bad='image: "acme/engine:v1"\nversion: v1',
)
