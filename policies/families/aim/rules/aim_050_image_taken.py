"""Another model has the same image.

A service that names an image finds its model by exactly that text, among the models of its namespace and of the cluster. If two models
match, every such service is Degraded (kaiwo: Failed). Keep one of the models, or let services name their model.

Source: aim-engine v0.2.1, internal/aimservice/model.go; kaiwo dbca1b55, internal/controller/aim/shared/service_observation.go.
"""

from weighbridge.policies.families.aim.predictions.model import same_image
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, listed, name_of, objects, of_both_groups, text


@objects.warning(
    kinds=("AIMModel", "AIMClusterModel"),
    reads=of_both_groups("AIMClusterModel", "AIMModel"),
    good="accepts-an-image-of-a-registry-with-a-port",
    bad="warns-of-an-image-that-a-cluster-model-has",
)
def check(given: Given) -> Said:
    image, scope = text(given.spec, "image"), given.namespace if given.kind == "AIMModel" else ""
    if not image:
        return
    found = [(str(model.get("kind")), name_of(model)) for model in same_image(image, given.group, scope, given.facts)]
    others = [f"{kind} {name}" for kind, name in found if (kind, name) != (given.kind, given.name)]
    if others:
        yield Violation(
            ("spec", "image"),
            f"services that name this image find several models: {listed(others)} {'has' if len(others) == 1 else 'have'} it, too",
            found=image,
            hint="let services name their model, or keep one of the models",
        )
