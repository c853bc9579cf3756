"""Two recommended configurations of a runtime have the same name.

llmaz always uses the first one. Give each its own name.

Source: llmaz 3c13ff3, pkg/webhook/backendruntime_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Objections, Said, Topic, Violation, objections


@objections(Topic.CONFIG_TWICE, "BackendRuntime").error(
    mirrors="duplicated name", good="accepts-two-configurations", bad="refuses-two-configurations-of-one-name"
)
def check(objections: Objections) -> Said:
    for found in objections:
        name = found.words.rpartition(" ")[2]
        yield Violation(found.path, "another configuration has this name", found=name, hint="give each configuration its own name")
