"""The name of a service's model is empty.

The CRD counts an empty name as set, but no model has that name: the service fails with "no model specified". If the base image of a custom
model is empty, the API server refuses the model that the operator creates. Write a name or an image.

Source: aim-engine v0.2.1, internal/aimservice/model.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, JSONObject, Said, Violation, part, specs


@specs.error(kinds=("AIMService",), about=FAILURE, good="accepts-a-caching-mode", bad="refuses-a-blank-name-of-a-model")
def check(spec: JSONObject) -> Said:
    model = part(spec, "model")
    for field in ("name", "ref", "image"):
        if isinstance(model.get(field), str) and not model[field].strip():
            yield Violation(
                ("spec", "model", field), f"{field} is empty, so no model is found", expected="a name" if field != "image" else "an image"
            )
    image = part(model, "custom").get("baseImage")
    if isinstance(image, str) and not image:
        yield Violation(("spec", "model", "custom", "baseImage"), "the image of the model is empty", expected="an image")
