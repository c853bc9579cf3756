"""An image can't be read as a reference.

A repository has no upper case, and nothing may be missing after a colon or an `@`. The operator asks the registry for the image's labels,
so the model is Degraded for good and every service of it fails.

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.subject.images import is_image
from policies.families.family import Rule, spec_of
from policies.findings import Finding, Severity
from policies.objects import lookup
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    for path in (("image",), ("model", "image"), ("model", "custom", "baseImage")):
        found = lookup(spec, path)
        # Of an empty one AIM-016 or the CRD speaks.
        if not isinstance(found, str) or not found.strip() or is_image(found.strip()):
            continue
        lower = found.lower() if is_image(found.lower()) else ""
        yield RULE.finding(
            ("spec", *path),
            f'"{found}" can\'t be read as an image' + (": a repository has no upper case" if lower else ""),
            found=found,
            expected=lower or "such as ghcr.io/acme/llama:1.0",
        )


RULE = Rule(
    id="AIM-022",
    name="image-unreadable",
    severity=Severity.ERROR,
    kinds=(
        "AIMService",
        "AIMModel",
        "AIMClusterModel",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go",
    is_about_failure=True,
    check=_check,
    good='model: {image: "ghcr.io/acme/llama:1.0"}',
    bad='model: {image: "ghcr.io/acme/Llama:1.0"}',
)
