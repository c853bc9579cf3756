"""A storage URI has a scheme or a shape that OME can't read.

The webhook refuses such a URI for a benchmark's results. Models have no webhook: the API server stores the object, and the agent on
every node fails the model. Schemes are case-sensitive, so OME doesn't know `HF://`. Write one of the schemes that the message lists, in
its form.

Source: OME v0.1.5, pkg/utils/storage/storage.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects, part
from weighbridge.policies.families.ome.subject.storage_uris import read_uri

_HINT = "write a URI of the form that the message names"


@objects.error(
    kinds=("BaseModel", "ClusterBaseModel", "FineTunedWeight", "BenchmarkJob"),
    about=FAILURE,
    mirrors="error parsing storage URI",
    good="accepts-a-model-of-hugging-face",
    bad="refuses-a-scheme-in-upper-case",
)
def check(given: Given) -> Said:
    field = "outputLocation" if given.kind == "BenchmarkJob" else "storage"
    uri = part(given.spec, field).get("storageUri")
    mistake = read_uri(uri).mistake if isinstance(uri, str) else ""
    if mistake:
        yield Violation(("spec", field, "storageUri"), f'"{uri}" can\'t be read: {mistake}', found=str(uri), hint=_HINT)
