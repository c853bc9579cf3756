"""A storage URI has a scheme or a shape that OME can't read.

For a benchmark's results the webhook refuses it. For models there is no webhook: the object is stored, and the agent on every node fails
it. Schemes are matched with their case, so `HF://` is none.

Source: OME v0.1.5 pkg/utils/storage/storage.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import part


@objects.error(
    kinds=("BaseModel", "ClusterBaseModel", "FineTunedWeight", "BenchmarkJob"),
    about=FAILURE,
    mirrors="error parsing storage URI",
    good="accepts-a-model-of-hugging-face",
    bad="refuses-a-scheme-in-upper-case",
)
def check(known_given: Given) -> Said:
    field = "outputLocation" if known_given.kind == "BenchmarkJob" else "storage"
    given = part(known_given.spec, field).get("storageUri")
    if not isinstance(given, str):
        return
    mistake = read_uri(given).mistake
    if mistake:
        yield Violation(("spec", field, "storageUri"), f'"{given}" can\'t be read: {mistake}', found=given)
