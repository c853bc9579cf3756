"""An adapter is for a service whose engine loads no adapters.

Only SGLang loads adapters while it runs. For any other runtime, also for the default llamacpp, the operator reports
RuntimeMismatch and does nothing.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go; measured.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, adapters
from weighbridge.policies.families.llmkube.subject.adapters import SGLANG, runtime, target
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@adapters.error(
    topic="LoRAAdapters", about=FAILURE, reads=("InferenceService",), good="accepts-an-adapter", bad="refuses-an-adapter-for-another-engine"
)
def check(adapter: Given) -> Said:
    namespace, name = target(adapter.object, adapter.namespace)
    service = SERVICES.get(adapter.facts, namespace, name)
    if service is not None and runtime(service) != SGLANG:
        yield Violation(
            ("spec", "inferenceServiceRef", "name"),
            f'InferenceService "{name}" runs {runtime(service)}, which loads no adapters from a LoRAAdapter',
            found=runtime(service),
            expected=SGLANG,
            hint="serve the model with runtime sglang",
        )
