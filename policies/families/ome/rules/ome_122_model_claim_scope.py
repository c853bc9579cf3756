"""The URI of a model's claim names a namespace, or lacks one, against the model's kind.

A BaseModel's claim is in the BaseModel's namespace, so the URI must not name one. A ClusterBaseModel has no namespace, so its URI must
name one. Later versions of OME refuse the model otherwise.

Source: ome-projects/ome#657.
"""

from weighbridge.policies.families.ome.rulebook import Model, Said, Violation, models


@models.warning(good="accepts-a-model-of-hugging-face", bad="warns-of-a-namespace-in-the-claim-of-a-namespaced-model")
def check(model: Model) -> Said:
    if not model.source.is_of("pvc"):
        return
    named, claim = model.source.parts.get("namespace", ""), model.source.parts["claim"]
    path = ("spec", "storage", "storageUri")
    if model.kind == "BaseModel" and named:
        message = "a BaseModel's claim is in its own namespace, but the URI names one"
        yield Violation(path, message, found=f"pvc://{named}:{claim}", expected=f"pvc://{claim}")
    elif model.kind != "BaseModel" and not named:
        message = "a ClusterBaseModel has no namespace, and its URI doesn't say where the claim is"
        yield Violation(path, message, found=f"pvc://{claim}", expected=f"pvc://NAMESPACE:{claim}")
