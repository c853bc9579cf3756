"""A KV cache of this name is there, and the service's own settings for it are ignored.

The name is `kvCache.name`, else `kvcache-<namespace>`, which all services of the namespace share. The first service's settings make the
cache; of the others nothing but the name is read. Name another cache, or change the AIMKVCache.

Source: kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.families.references import Referent
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.objects import metadata_of, name_of, namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    wanted = part(spec_of(request.object), "kvCache")
    namespace = request.namespace or namespace_of(request.object)
    name = text(wanted, "name") or f"kvcache-{namespace}"
    there = Referent(request.gvk.group, "AIMKVCache").get(facts, namespace, name) if wanted and request.gvk.group == OLD else None
    if there is None or any(text(owner, "name") == name_of(request.object) for owner in items(metadata_of(there), "ownerReferences")):
        return
    standing = spec_of(there)
    for key in ("image", "resources", "storage", "env"):
        if key in wanted and wanted[key] != standing.get(key):
            yield RULE.finding(
                ("spec", "kvCache", key),
                f'AIMKVCache "{name}" is there already with another {key}, and stays as it is',
                hint="give kvCache.name another name, or change the AIMKVCache",
            )


RULE = Rule(
    id="AIM-026",
    name="kv-cache-shared",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go",
    reads=("AIMKVCache.aim.silogen.ai",),
    beside="""\
apiVersion: aim.silogen.ai/v1alpha1
kind: AIMKVCache
metadata: {name: kvcache-default, namespace: default}
spec: {kvCacheType: redis, image: "redis:7.2.4"}""",
    check=_check,
    good="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {model: {ref: llama}, kvCache: {name: mine, image: redis:8}}""",
    bad="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {model: {ref: llama}, kvCache: {image: redis:8}}""",
)
