"""A model lies where OME v0.1.5 can't download it from.

The URI can be read, yet the agent knows oci, hf and local only, and fails the model as of an unknown type. Put the weights on one of
these.

Source: OME v0.1.5 pkg/modelagent/gopher.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import part, text

_NOT_DOWNLOADED: Final = ("s3", "az", "gs", "github")


@objects.warning(
    kinds=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-model-of-hugging-face",
    bad="warns-of-a-model-in-a-bucket-of-s3",
)
def check(given: Given) -> Said:
    uri = read_uri(text(part(given.spec, "storage"), "storageUri"))
    if uri.scheme in _NOT_DOWNLOADED and not uri.mistake:
        message = f"the agent of OME v0.1.5 downloads nothing from {uri.scheme}://, and the model fails"
        yield Violation(("spec", "storage", "storageUri"), message, found=f"{uri.scheme}://", expected="hf://, oci:// or local://")
