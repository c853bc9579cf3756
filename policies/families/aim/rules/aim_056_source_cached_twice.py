"""Another cache of the namespace has the same source and storage class.

The source is all that a cache is known by, and nothing keeps it unique. The weights are downloaded twice; the first cache that is
available is used, and the other takes up its volume for nothing.

Source: aim-engine v0.2.1 internal/aimartifact; kaiwo dbca1b55 internal/controller/aim/aimmodelcache_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.objects import metadata_of, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    source, chosen = text(spec, "sourceUri"), text(spec, "storageClassName")
    if not source:
        return
    namespace = request.namespace or namespace_of(request.object)
    for other in facts.objects.list(request.gvk.group, request.gvk.kind, namespace):
        owned = bool(items(metadata_of(other), "ownerReferences"))
        its = spec_of(other)
        if (
            name_of(other) != name_of(request.object)
            and not owned
            and (text(its, "sourceUri"), text(its, "storageClassName")) == (source, chosen)
        ):
            yield RULE.finding(
                ("spec", "sourceUri"),
                f"{request.gvk.kind} {name_of(other)} caches the same source",
                found=source,
                hint="use that one, and remove this",
            )
            return


RULE = Rule(
    id="AIM-056",
    name="source-cached-twice",
    severity=Severity.WARNING,
    kinds=(
        "AIMArtifact",
        "AIMModelCache",
    ),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimartifact; kaiwo dbca1b55 internal/controller/aim/aimmodelcache_controller.go",
    reads=(
        "AIMArtifact",
        "AIMModelCache.aim.silogen.ai",
    ),
    beside="""\
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMArtifact
metadata: {name: first, namespace: default}
spec: {sourceUri: "hf://acme/llama", size: 16Gi}""",
    check=_check,
    good='sourceUri: "hf://acme/other"',
    bad='sourceUri: "hf://acme/llama"',
)
