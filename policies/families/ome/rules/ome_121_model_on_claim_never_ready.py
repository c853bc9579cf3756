"""A model on a PersistentVolumeClaim never becomes ready in OME v0.1.5.

The agent leaves it out, so that no node gets the label which the service's pods ask for, and they stay pending. Download the model
instead, or use a version of OME that serves models from claims.

Source: OME v0.1.5 pkg/modelagent/gopher.go; ome-projects/ome#655.
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
    if uri.scheme == "pvc" and not uri.mistake:
        message = "the agent of OME v0.1.5 leaves out models on claims, and pods that serve this one stay pending"
        yield RULE.finding(("spec", "storage", "storageUri"), message, hint="let the agent download it, from hf:// or oci://")


RULE = Rule(
    id="OME-121",
    name="model-on-claim-never-ready",
    severity=Severity.WARNING,
    kinds=("BaseModel", "ClusterBaseModel"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelagent/gopher.go; ome-projects/ome#655",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad='storage: {storageUri: "pvc://weights/llama", path: /models/llama}',
)
