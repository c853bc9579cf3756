"""A storage URI has a scheme or a shape that OME can't read.

For a benchmark's results the webhook refuses it. For models there is no webhook: the object is stored, and the agent on every node fails
it. Schemes are matched with their case, so `HF://` is none.

Source: OME v0.1.5 pkg/utils/storage/storage.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.storage_uris import read_uri
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    field = "outputLocation" if request.gvk.kind == "BenchmarkJob" else "storage"
    given = part(spec_of(request.object), field).get("storageUri")
    if not isinstance(given, str):
        return
    mistake = read_uri(given).mistake
    if mistake:
        yield RULE.finding(("spec", field, "storageUri"), f'"{given}" can\'t be read: {mistake}', found=given)


RULE = Rule(
    id="OME-104",
    name="storage-uri-unreadable",
    severity=Severity.ERROR,
    kinds=("BaseModel", "ClusterBaseModel", "FineTunedWeight", "BenchmarkJob"),
    since="0.1.0",
    source="OME v0.1.5 pkg/utils/storage/storage.go",
    mirrors="error parsing storage URI",
    is_about_failure=True,
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad='storage: {storageUri: "HF://acme/llama", path: /models/llama}',
)
