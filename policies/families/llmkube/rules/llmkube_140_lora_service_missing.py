"""An adapter is for a service that doesn't exist.

The operator looks up the service in the adapter's namespace unless `inferenceServiceRef.namespace` names another. The
service may come later in the same rollout, so the rule only warns.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, Said, adapters
from weighbridge.policies.families.llmkube.subject.adapters import target
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@adapters.warning(
    topic="LoRAAdapters",
    about=REFERENCE | FAILURE,
    reads=("InferenceService",),
    good="accepts-an-adapter",
    bad="warns-of-an-adapter-without-its-service",
)
def check(adapter: Given) -> Said:
    namespace, name = target(adapter.object, adapter.namespace)
    path, hint = ("spec", "inferenceServiceRef", "name"), "create the service, or correct its name or namespace"
    said = f'namespace "{namespace}" has no InferenceService "{name}"'
    yield from SERVICES.missing(adapter, path, name, said, hint=hint, namespace=namespace)
