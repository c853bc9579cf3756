"""A router's backend is a service that isn't there.

The service is looked up in the router's own namespace. As long as it is missing the whole router fails, the other
backends with it. It may come later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.subject.references import SERVICES
from policies.fields import items, part, text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    namespace = request.namespace or namespace_of(request.object)
    for index, backend in enumerate(items(spec_of(request.object), "backends")):
        if backend.get("inferenceServiceRef") is None:
            continue
        name = text(part(backend, "inferenceServiceRef"), "name")
        missing = SERVICES.is_missing(facts, namespace, name)
        if missing is None:
            yield RULE.unchecked(SERVICES.unknown)
            return
        if missing:
            yield RULE.finding(
                ("spec", "backends", index, "inferenceServiceRef", "name"),
                f'namespace "{namespace}" has no InferenceService "{name}"; the whole router fails until it exists',
                found=name,
                nearest=SERVICES.nearest(facts, namespace, name),
                hint="create the service in the router's namespace, or correct the name",
            )


RULE = Rule(
    id="LLMKUBE-113",
    name="router-service-missing",
    severity=Severity.WARNING,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/router_config_builder.go",
    reads=("InferenceService",),
    is_about_reference=True,
    is_about_failure=True,
    check=_check,
    good="backends: [{name: local, inferenceServiceRef: {name: llama}}]",
    bad="backends: [{name: local, inferenceServiceRef: {name: lama}}]",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: llama, namespace: default}
spec: {modelRef: llama}
""",
)
