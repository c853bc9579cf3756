"""A GPUQuota is for a namespace that isn't there.

`namespaceRef` may name any namespace, not just the quota's own; one that doesn't exist is never reported. It may come
later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/gpuquota_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.references import NAMESPACES
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    named = text(spec_of(request.object), "namespaceRef")
    missing = bool(named) and NAMESPACES.is_missing(facts, "", named)
    if missing is None:
        yield RULE.unchecked(NAMESPACES.unknown)
    if not missing:
        return
    yield RULE.finding(
        ("spec", "namespaceRef"),
        f'there is no namespace "{named}", so the quota limits nothing',
        found=named,
        nearest=NAMESPACES.nearest(facts, "", named, otherwise=0),
    )


RULE = Rule(
    id="LLMKUBE-127",
    name="quota-namespace-missing",
    severity=Severity.WARNING,
    kinds=("GPUQuota",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/gpuquota_controller.go",
    reads=("Namespace",),
    check=_check,
    good="gpuCount: 4\nnamespaceRef: search",
    bad="gpuCount: 4\nnamespaceRef: serach",
    beside="""\
apiVersion: v1
kind: Namespace
metadata: {name: search}
""",
)
