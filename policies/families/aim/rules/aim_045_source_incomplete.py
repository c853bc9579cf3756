"""The address of a model source names nothing that can be downloaded.

The CRD only asks for `hf://` or `s3://` and no blanks. `hf://` needs an owner and a repository, `s3://` a bucket and a key; the download
fails otherwise.

Source: aim-engine v0.2.1 config/crd/bases; kaiwo dbca1b55 config/crd/bases.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.request import Request

_FORMS = {"hf": "hf://OWNER/REPOSITORY", "s3": "s3://BUCKET/KEY"}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    sources = [(("spec", "modelSources", index), source) for index, source in enumerate(items(spec, "modelSources"))]
    for path, source in [*sources, (("spec",), spec)]:
        uri = text(source, "sourceUri")
        scheme, _, rest = uri.partition("://")
        parts = [piece for piece in rest.split("/") if piece]
        if scheme in _FORMS and len(parts) < 2:
            yield RULE.finding((*path, "sourceUri"), f'"{uri}" is incomplete', found=uri, expected=_FORMS[scheme])


RULE = Rule(
    id="AIM-045",
    name="source-incomplete",
    severity=Severity.WARNING,
    kinds=(
        "AIMServiceTemplate",
        "AIMClusterServiceTemplate",
        "AIMModel",
        "AIMClusterModel",
        "AIMService",
        "AIMArtifact",
        "AIMModelCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 config/crd/bases; kaiwo dbca1b55 config/crd/bases",
    check=_check,
    good='modelName: llama\nmodelSources: [{modelId: acme/x, sourceUri: "hf://acme/x", size: 16Gi}]',
    bad='modelName: llama\nmodelSources: [{modelId: acme/x, sourceUri: "hf://x", size: 16Gi}]',
)
