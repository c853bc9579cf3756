"""A Model's name is longer than a label's value may be, so its services get no Deployment.

The operator writes the Model's name into a label of every pod that serves it (`inference.llmkube.dev/model`). A name may have 253
characters, but a label's value only 63. The API server refuses the Deployment, and the service becomes Failed with only the text
`Failed to create Deployment`. With accelerator metal there are no pods, so a long name is allowed.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Model, Said, models, name_of
from weighbridge.policies.families.llmkube.rules._labels import too_long


@models.error(topic="Models: name and resources", good="accepts-a-model-name-of-63-characters", bad="refuses-a-model-name-of-64-characters")
def check(model: Model) -> Said:
    if not model.is_metal:
        yield from too_long(("metadata", "name"), name_of(model.object))
