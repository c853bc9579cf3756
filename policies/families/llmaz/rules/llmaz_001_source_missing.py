"""A model has no source.

The model names neither a hub nor a URI, so llmaz can't load anything. Write `spec.source.modelHub` or
`spec.source.uri`.

Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Objections, Said, Topic, Violation, objections


@objections(Topic.NO_SOURCE, "OpenModel").error(
    mirrors="Source can't be all null", good="accepts-a-hub-with-an-id", bad="refuses-a-model-without-a-source"
)
def check(objections: Objections) -> Said:
    for found in objections:
        yield Violation(found.path, "the model has no source", hint="give spec.source.modelHub or spec.source.uri")
