"""Two recommended configurations of a runtime have the same name.

The first would be taken for either.

Source: llmaz 3c13ff3 pkg/webhook/backendruntime_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.objects import Operation


@objects.error(
    kinds=("BackendRuntime",),
    mirrors="duplicated name",
    good="accepts-a-runtime-with-a-default",
    bad="refuses-two-configurations-of-one-name",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.CONFIG_TWICE:
            yield Violation(found.path, "another configuration has this name", found=found.words.rpartition(" ")[2])
