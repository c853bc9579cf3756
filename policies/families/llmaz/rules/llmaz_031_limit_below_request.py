"""A limit is below what is requested.

No pod can have more than its limit. Raise the limit or lower the request.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go, backendruntime_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.upstream.webhooks import Topic, objections
from weighbridge.policies.ground.objects import Operation


@objects.error(
    kinds=("Playground", "BackendRuntime"),
    mirrors="must be greater than or equal to request",
    good="accepts-a-limit-with-its-request",
    bad="refuses-a-limit-below-its-request",
)
def check(given: Given) -> Said:
    for found in objections(given.object, is_create=given.request.operation is Operation.CREATE):
        if found.topic is Topic.RESOURCES:
            yield Violation(
                found.path, f"the limit of {found.path[-1]} is below what is requested", hint="raise the limit, or lower the request"
            )
