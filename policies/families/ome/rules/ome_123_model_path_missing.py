"""A model that is downloaded names no path.

The schema leaves it open, and the agent panics on every node that should get the model. The model then blocks all others behind it. Say
where the files go, such as `/mnt/models/llama`.

Source: OME v0.1.5 pkg/modelagent/gopher.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import part, text

_DOWNLOADED: Final = ("hf", "oci")


@objects.error(
    kinds=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-model-of-hugging-face",
    bad="refuses-a-model-without-a-path",
)
def check(given: Given) -> Said:
    storage = part(given.spec, "storage")
    uri = read_uri(text(storage, "storageUri"))
    if uri.scheme in _DOWNLOADED and not uri.mistake and not text(storage, "path"):
        message = "the agent panics over a model that is downloaded and names no path"
        yield Violation(("spec", "storage", "path"), message, expected="where the files go on the nodes")
