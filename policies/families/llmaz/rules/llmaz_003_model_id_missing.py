"""A model is on a hub, but has no model ID.

The loader starts without the name of a repository and fails. Without a loader the Playground never gets a Service. Write the ID of the
repository.

Source: llmaz 3c13ff3, pkg/controller_helper/modelsource.
"""

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, models, part, text


@models.error(good="accepts-a-hub-with-an-id", bad="refuses-a-hub-without-an-id")
def check(given: Given) -> Said:
    hub = part(given.spec, "source").get("modelHub")
    if isinstance(hub, dict) and not text(hub, "modelID").strip():
        yield Violation(("spec", "source", "modelHub", "modelID"), "the model has no ID on its hub", expected="such as facebook/opt-125m")
