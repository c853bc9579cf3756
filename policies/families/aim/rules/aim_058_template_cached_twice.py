"""Another cache of the namespace is for the same template.

Both lead to the same artifact, and of two such caches one can stay Progressing for good; a service that takes that one never starts.

Source: aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimtemplatecache_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.aim.rules._examples import READY
from policies.families.family import Rule, spec_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.objects import JSONValue, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    own = _cached(request.object, request.gvk.group)
    namespace = request.namespace or namespace_of(request.object)
    if not own[0] or own[2] == "Dedicated":
        return
    for other in facts.objects.list(request.gvk.group, "AIMTemplateCache", namespace):
        if name_of(other) != name_of(request.object) and _cached(other, request.gvk.group) == own:
            key = "templateRef" if request.gvk.group == OLD else "templateName"
            yield RULE.finding(
                ("spec", key), f"AIMTemplateCache {name_of(other)} is for the same template", found=own[0], hint="keep one of them"
            )
            return


def _cached(cache: JSONValue, group: str) -> tuple[str, ...]:
    spec = spec_of(cache if isinstance(cache, dict) else None)
    if group == OLD:
        return text(spec, "templateRef"), "", "", text(spec, "storageClassName")
    return text(spec, "templateName"), text(spec, "templateScope"), text(spec, "mode", "Shared"), text(spec, "storageClassName")


RULE = Rule(
    id="AIM-058",
    name="template-cached-twice",
    severity=Severity.WARNING,
    kinds=("AIMTemplateCache",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimtemplatecache_controller.go",
    reads=(
        "AIMTemplateCache",
        "AIMTemplateCache.aim.silogen.ai",
    ),
    beside=READY
    + """
---
apiVersion: aim.eai.amd.com/v1alpha1
kind: AIMTemplateCache
metadata: {name: first, namespace: default}
spec: {templateName: fast, templateScope: Namespace, mode: Shared}""",
    check=_check,
    good="""\
templateName: shared-fast
templateScope: Cluster""",
    bad="""\
templateName: fast
templateScope: Namespace""",
)
