"""A model has no source.

Neither a hub nor a URI is given, so there is nothing to load. Name one of them.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.objects import Operation


@objects.error(
    kinds=("OpenModel",),
    mirrors="Source can't be all null",
    good="refuses-a-hub-without-an-id",
    bad="refuses-a-model-without-a-source",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.NO_SOURCE:
            yield Violation(found.path, "the model has no source", hint="give spec.source.modelHub or spec.source.uri")
