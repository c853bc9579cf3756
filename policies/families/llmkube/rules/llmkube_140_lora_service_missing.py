"""An adapter is for a service that isn't there.

The service is looked up in the adapter's namespace unless `inferenceServiceRef.namespace` names another. It may come
later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.adapters import target
from policies.families.llmkube.subject.references import SERVICES
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    if not isinstance(request.object, dict):
        return
    namespace, name = target(request.object, request.namespace or namespace_of(request.object))
    missing = SERVICES.is_missing(facts, namespace, name)
    if missing is None:
        yield RULE.unchecked(SERVICES.unknown)
    elif missing:
        yield RULE.finding(
            ("spec", "inferenceServiceRef", "name"),
            f'namespace "{namespace}" has no InferenceService "{name}"',
            found=name,
            nearest=SERVICES.nearest(facts, namespace, name),
            hint="create the service, or correct its name or namespace",
        )


RULE = Rule(
    id="LLMKUBE-140",
    name="lora-service-missing",
    severity=Severity.WARNING,
    kinds=("LoRAAdapter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/loraadapter_controller.go",
    reads=("InferenceService",),
    is_about_reference=True,
    is_about_failure=True,
    check=_check,
    good="inferenceServiceRef: {name: chat}\nname: legal\npath: /adapters/legal",
    bad="inferenceServiceRef: {name: caht}\nname: legal\npath: /adapters/legal",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: chat, namespace: default}
spec: {modelRef: llama, runtime: sglang}
""",
)
