"""A limit is below the request.

llmaz's webhook refuses the object. Raise the limit or lower the request.

Source: llmaz 3c13ff3, pkg/webhook/playground_webhook.go and backendruntime_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Objections, Said, Topic, Violation, objections


@objections(Topic.RESOURCES, "Playground", "BackendRuntime").error(
    mirrors="must be greater than or equal to request", good="accepts-a-limit-with-its-request", bad="refuses-a-limit-below-its-request"
)
def check(objections: Objections) -> Said:
    for found in objections:
        message = f"the limit of {found.path[-1]} is below the request"
        yield Violation(found.path, message, hint="raise the limit, or lower the request")
