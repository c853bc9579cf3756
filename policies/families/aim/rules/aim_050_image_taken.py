"""Another model has the same image.

A service that asks for an image finds its model by exactly that text, among the models of its namespace and of the cluster. With two of
them every such service is Degraded (kaiwo: Failed).

Source: aim-engine v0.2.1 internal/aimservice/model.go; kaiwo dbca1b55 internal/controller/aim/shared/service_observation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.predictions.model import same_image
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import listed


@objects.warning(
    kinds=("AIMModel", "AIMClusterModel"),
    reads=("AIMClusterModel", "AIMClusterModel.aim.silogen.ai", "AIMModel", "AIMModel.aim.silogen.ai"),
    good="accepts-an-image-of-a-registry-with-a-port",
    bad="warns-of-an-image-that-a-cluster-model-has",
)
def check(given: Given) -> Said:
    image, namespace = text(given.spec, "image"), given.namespace
    if not image:
        return
    scope = namespace if given.kind == "AIMModel" else ""
    others = [found for found in same_image(image, given.group, scope, given.facts) if not _is_same(found, given.request)]
    if others:
        names = listed([f"{found.get('kind')} {name_of(found)}" for found in others])
        yield Violation(
            ("spec", "image"),
            f"services that ask for this image find several models: {names} {'has' if len(others) == 1 else 'have'} it, too",
            found=image,
            hint="let services name their model, or keep one of the models",
        )


def _is_same(found: JSONObject, request: Request) -> bool:
    place = name_of(found), found.get("kind")
    return place == (name_of(request.object), request.gvk.kind)
