"""OME v0.1.5 can't download a model from where it lies.

OME can read the URI, yet its agent downloads from oci, hf and local only, and fails the model as one of an unknown type. Put the weights on
one of these.

Source: OME v0.1.5, pkg/modelagent/gopher.go.
"""

from weighbridge.policies.families.ome.rulebook import Model, Said, Violation, models


@models.warning(good="accepts-a-model-of-hugging-face", bad="warns-of-a-model-in-a-bucket-of-s3")
def check(model: Model) -> Said:
    if model.source.is_of("s3", "az", "gs", "github"):
        scheme = f"{model.source.scheme}://"
        message = f"the agent of OME v0.1.5 downloads nothing from {scheme}, and the model fails"
        yield Violation(("spec", "storage", "storageUri"), message, found=scheme, expected="hf://, oci:// or local://")
