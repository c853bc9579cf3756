"""The claim of a model is named in the wrong scope.

A BaseModel's claim lies in its own namespace, so its URI names none; a ClusterBaseModel has no namespace, so its URI must name one. Later
versions of OME refuse it otherwise.

Source: ome-projects/ome#657.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.subject.storage_uris import read_uri
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    uri = read_uri(text(part(spec_of(request.object), "storage"), "storageUri"))
    if uri.scheme != "pvc" or uri.mistake:
        return
    named, claim = uri.parts.get("namespace", ""), uri.parts["claim"]
    path = ("spec", "storage", "storageUri")
    if request.gvk.kind == "BaseModel" and named:
        message = "a BaseModel's claim lies in its own namespace, and its URI names one"
        yield RULE.finding(path, message, found=f"pvc://{named}:{claim}", expected=f"pvc://{claim}")
    elif request.gvk.kind != "BaseModel" and not named:
        message = "a ClusterBaseModel has no namespace, and its URI doesn't say where the claim lies"
        yield RULE.finding(path, message, found=f"pvc://{claim}", expected=f"pvc://NAMESPACE:{claim}")


RULE = Rule(
    id="OME-122",
    name="model-claim-scope",
    severity=Severity.WARNING,
    kinds=("BaseModel", "ClusterBaseModel"),
    since="0.1.0",
    source="ome-projects/ome#657",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad='storage: {storageUri: "pvc://team:weights/llama", path: /models/llama}',
)
