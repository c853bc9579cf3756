"""OME v0.1.5 can't download a model from its storage.

OME can read the URI, but its agent downloads only from oci, hf and local, and fails the model because its type is unknown. Put the weights
on one of these.

Source: OME v0.1.5, pkg/modelagent/gopher.go.
"""

from weighbridge.policies.families.ome.rulebook import Model, Said, Violation, models


@models.warning(good="accepts-a-model-of-hugging-face", bad="warns-of-a-model-in-a-bucket-of-s3")
def check(model: Model) -> Said:
    if model.source.is_of("s3", "az", "gs", "github"):
        scheme = f"{model.source.scheme}://"
        message = f"the agent of OME v0.1.5 can't download from {scheme}, and the model fails"
        yield Violation(("spec", "storage", "storageUri"), message, found=scheme, expected="hf://, oci:// or local://")
