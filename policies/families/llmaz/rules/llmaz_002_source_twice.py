"""A model has two sources, a hub and a URI.

llmaz reads the hub and silently ignores the URI, so it never loads the URI's files. Remove the wrong one.

Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, models, part, text


@models.error(good="accepts-a-hub-with-an-id", bad="refuses-a-model-with-two-sources")
def check(given: Given) -> Said:
    source = part(given.spec, "source")
    uri = text(source, "uri")
    if isinstance(source.get("modelHub"), dict) and uri:
        hint = "remove spec.source.uri, or spec.source.modelHub"
        yield Violation(("spec", "source", "uri"), "the model has two sources, and the URI is never read", hint, uri)
