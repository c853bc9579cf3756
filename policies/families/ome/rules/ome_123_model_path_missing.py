"""A model has to be downloaded, but names no path.

The schema doesn't require a path, but without it the agent panics on every node that should get the model. The model then blocks all
others in the agent's queue. Write the folder for the files, such as `/mnt/models/llama`.

Source: OME v0.1.5, pkg/modelagent/gopher.go.
"""

from weighbridge.policies.families.ome.rulebook import Model, Said, Violation, models


@models.error(good="accepts-a-model-of-hugging-face", bad="refuses-a-model-without-a-path")
def check(model: Model) -> Said:
    if model.source.is_of("hf", "oci") and not model.path:
        message = "OME's agent panics when it downloads a model without a path"
        yield Violation(("spec", "storage", "path"), message, expected="where the files go on the nodes")
