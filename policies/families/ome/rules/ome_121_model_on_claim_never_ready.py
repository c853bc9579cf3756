"""A model on a PersistentVolumeClaim never becomes ready in OME v0.1.5.

The agent skips such a model, so no node gets the label that the service's pods select, and the pods stay Pending. Download the model
instead, or use a version of OME that serves models from claims.

Source: OME v0.1.5, pkg/modelagent/gopher.go; ome-projects/ome#655.
"""

from weighbridge.policies.families.ome.rulebook import Model, Said, Violation, models


@models.warning(good="accepts-a-model-of-hugging-face", bad="warns-of-a-model-on-a-claim")
def check(model: Model) -> Said:
    if model.source.is_of("pvc"):
        message = "the agent of OME v0.1.5 skips models on claims, so pods that serve this model stay Pending"
        yield Violation(("spec", "storage", "storageUri"), message, hint="let the agent download it, from hf:// or oci://")
