"""The Model requests CPU or memory, which has no effect.

The operator doesn't read `spec.resources` of a Model: no pod gets a request or a limit from it. Set what the pods
request in the InferenceService's `spec.resources`.

Source: LLMKube v0.9.19, api/v1alpha1/model_types.go; internal/controller, which never reads the field.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, Violation, models, part


@models.note(topic="Models: name and resources", good="accepts-a-prefetch-by-https", bad="notes-resources-of-a-model")
def check(model: Model) -> Said:
    stated = [name for name in ("cpu", "memory") if part(model.spec, "resources").get(name)]
    if stated:
        said = f"no pod requests {' and '.join(stated)} of a Model"
        yield Violation(("spec", "resources"), said, hint="move it to spec.resources of the InferenceService")
