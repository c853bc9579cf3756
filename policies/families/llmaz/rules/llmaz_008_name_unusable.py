"""A name has dots or is too long.

The names of Models, Playgrounds and Services must be DNS labels: at most 63 lower-case letters, digits and `-`. Write
`qwen2-0--5b` for qwen2-0.5b.

Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Objections, Said, Topic, Violation, objections


@objections(Topic.NAME, "OpenModel", "Playground", "Service").error(
    about=FAILURE, mirrors="must not contain dots", good="accepts-a-model-named-with-dashes", bad="refuses-a-model-named-with-a-dot"
)
def check(objections: Objections, given: Given) -> Said:
    for found in objections:
        message = f"the name can't be used: {found.words.rpartition(': ')[2]}"
        yield Violation(found.path, message, found=given.name, expected=given.name.replace(".", "--")[:60])
