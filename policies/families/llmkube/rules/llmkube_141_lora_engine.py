"""An adapter is for a service whose engine takes none.

Only SGLang loads adapters while it runs. For any other runtime, llamacpp among them where none is written, the operator
reports RuntimeMismatch and does nothing.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.subject.adapters import SGLANG, runtime, target
from policies.families.llmkube.subject.references import SERVICES
from policies.findings import Finding, Severity
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    namespace, name = target(request.object, request.namespace or namespace_of(request.object))
    service = SERVICES.get(facts, namespace, name)
    if service is not None and runtime(service) != SGLANG:
        yield RULE.finding(
            ("spec", "inferenceServiceRef", "name"),
            f'InferenceService "{name}" runs {runtime(service)}, which loads no adapters from a LoRAAdapter',
            found=runtime(service),
            expected=SGLANG,
            hint="serve the model with runtime sglang",
        )


RULE = Rule(
    id="LLMKUBE-141",
    name="lora-engine",
    severity=Severity.ERROR,
    kinds=("LoRAAdapter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/loraadapter_controller.go",
    reads=("InferenceService",),
    is_about_failure=True,
    check=_check,
    good="inferenceServiceRef: {name: chat}\nname: legal\npath: /adapters/legal",
    bad="inferenceServiceRef: {name: other}\nname: legal\npath: /adapters/legal",
    beside="""\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: chat, namespace: default}
spec: {modelRef: llama, runtime: sglang}
---
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: other, namespace: default}
spec: {modelRef: llama, runtime: vllm}
""",
)
