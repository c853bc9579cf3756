"""The configuration of LMCache doesn't say where the cache is.

The operator puts the address of Redis in the place of `{SERVICE_URL}`. A `lmCacheConfig` without it never reaches the cache.

Source: kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.kinds import OLD
from policies.families.family import Rule, spec_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    found = part(spec_of(request.object), "kvCache").get("lmCacheConfig")
    if request.gvk.group == OLD and isinstance(found, str) and found.strip() and "{SERVICE_URL}" not in found:
        yield RULE.finding(
            ("spec", "kvCache", "lmCacheConfig"),
            "{SERVICE_URL} is missing, so the engine never reaches the cache",
            hint="write remote_url: {SERVICE_URL}, or leave lmCacheConfig out",
        )


RULE = Rule(
    id="AIM-028",
    name="kv-cache-address-missing",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="kaiwo dbca1b55 internal/controller/aim/aimservice_controller.go",
    check=_check,
    good="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {model: {ref: llama}, kvCache: {lmCacheConfig: "remote_url: {SERVICE_URL}"}}""",
    bad="""\
apiVersion: aim.silogen.ai/v1alpha1
spec: {model: {ref: llama}, kvCache: {lmCacheConfig: "remote_url: redis://cache:6379"}}""",
)
