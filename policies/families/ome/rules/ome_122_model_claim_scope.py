"""The claim of a model is named in the wrong scope.

A BaseModel's claim lies in its own namespace, so its URI names none; a ClusterBaseModel has no namespace, so its URI must name one. Later
versions of OME refuse it otherwise.

Source: ome-projects/ome#657.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import part, text


@objects.warning(
    kinds=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-model-of-hugging-face",
    bad="warns-of-a-namespace-in-the-claim-of-a-namespaced-model",
)
def check(given: Given) -> Said:
    uri = read_uri(text(part(given.spec, "storage"), "storageUri"))
    if uri.scheme != "pvc" or uri.mistake:
        return
    named, claim = uri.parts.get("namespace", ""), uri.parts["claim"]
    path = ("spec", "storage", "storageUri")
    if given.kind == "BaseModel" and named:
        message = "a BaseModel's claim lies in its own namespace, and its URI names one"
        yield Violation(path, message, found=f"pvc://{named}:{claim}", expected=f"pvc://{claim}")
    elif given.kind != "BaseModel" and not named:
        message = "a ClusterBaseModel has no namespace, and its URI doesn't say where the claim lies"
        yield Violation(path, message, found=f"pvc://{claim}", expected=f"pvc://NAMESPACE:{claim}")
