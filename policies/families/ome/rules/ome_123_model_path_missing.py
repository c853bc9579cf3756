"""A model that is downloaded names no path.

The schema leaves it open, and the agent panics on every node that should get the model. The model then blocks all others behind it. Say
where the files go, such as `/mnt/models/llama`.

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

_DOWNLOADED: Final = ("hf", "oci")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    storage = part(spec_of(request.object), "storage")
    uri = read_uri(text(storage, "storageUri"))
    if uri.scheme in _DOWNLOADED and not uri.mistake and not text(storage, "path"):
        message = "the agent panics over a model that is downloaded and names no path"
        yield RULE.finding(("spec", "storage", "path"), message, expected="where the files go on the nodes")


RULE = Rule(
    id="OME-123",
    name="model-path-missing",
    severity=Severity.ERROR,
    kinds=("BaseModel", "ClusterBaseModel"),
    since="0.1.0",
    source="OME v0.1.5 pkg/modelagent/gopher.go",
    check=_check,
    good='storage: {storageUri: "hf://acme/llama", path: /models/llama}',
    bad='storage: {storageUri: "hf://acme/llama"}',
)
