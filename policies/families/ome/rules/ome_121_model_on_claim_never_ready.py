"""A model on a PersistentVolumeClaim never becomes ready in OME v0.1.5.

The agent leaves it out, so that no node gets the label which the service's pods ask for, and they stay pending. Download the model
instead, or use a version of OME that serves models from claims.

Source: OME v0.1.5 pkg/modelagent/gopher.go; ome-projects/ome#655.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import part, text


@objects.warning(
    kinds=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-model-of-hugging-face",
    bad="warns-of-a-model-on-a-claim",
)
def check(given: Given) -> Said:
    uri = read_uri(text(part(given.spec, "storage"), "storageUri"))
    if uri.scheme == "pvc" and not uri.mistake:
        message = "the agent of OME v0.1.5 leaves out models on claims, and pods that serve this one stay pending"
        yield Violation(("spec", "storage", "storageUri"), message, hint="let the agent download it, from hf:// or oci://")
