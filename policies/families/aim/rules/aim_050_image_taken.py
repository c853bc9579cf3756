"""Another model has the same image.

A service that asks for an image finds its model by exactly that text, among the models of its namespace and of the cluster. With two of
them every such service is Degraded (kaiwo: Failed).

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.model import same_image
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import JSONObject, name_of, namespace_of
from policies.request import Request
from policies.spelling import listed


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    image, namespace = text(spec_of(request.object), "image"), request.namespace or namespace_of(request.object)
    if not image:
        return
    scope = namespace if request.gvk.kind == "AIMModel" else ""
    others = [found for found in same_image(image, request.gvk.group, scope, facts) if not _is_same(found, request)]
    if others:
        names = listed([f"{found.get('kind')} {name_of(found)}" for found in others])
        yield RULE.finding(
            ("spec", "image"),
            f"services that ask for this image find several models: {names} {'has' if len(others) == 1 else 'have'} it, too",
            found=image,
            hint="let services name their model, or keep one of the models",
        )


def _is_same(found: JSONObject, request: Request) -> bool:
    place = name_of(found), found.get("kind")
    return place == (name_of(request.object), request.gvk.kind)


RULE = Rule(
    id="AIM-050",
    name="image-taken",
    severity=Severity.WARNING,
    kinds=(
        "AIMModel",
        "AIMClusterModel",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go",
    reads=("AIMClusterModel", "AIMClusterModel.aim.silogen.ai", "AIMModel", "AIMModel.aim.silogen.ai"),
    beside=READY,
    check=_check,
    good='image: "ghcr.io/acme/other:1.0"',
    bad='image: "ghcr.io/acme/shared:1.0"',
)
