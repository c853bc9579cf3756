"""A model lies where OME v0.1.5 can't download it from.

The URI can be read, yet the agent knows oci, hf and local only, and fails the model as of an unknown type. Put the weights on one of
these.

Source: OME v0.1.5 pkg/modelagent/gopher.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.storage_uris import read_uri
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request

_NOT_DOWNLOADED: Final = ("s3", "az", "gs", "github")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    uri = read_uri(text(part(spec_of(request.object), "storage"), "storageUri"))
    if uri.scheme in _NOT_DOWNLOADED and not uri.mistake:
        message = f"the agent of OME v0.1.5 downloads nothing from {uri.scheme}://, and the model fails"
        yield RULE.finding(("spec", "storage", "storageUri"), message, found=f"{uri.scheme}://", expected="hf://, oci:// or local://")


RULE = Rule(
    id="OME-120",
    name="model-source-not-downloaded",
    severity=Severity.WARNING,
    kinds=("BaseModel", "ClusterBaseModel"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelagent/gopher.go",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad='storage: {storageUri: "s3://bucket/llama", path: /models/llama}',
)
