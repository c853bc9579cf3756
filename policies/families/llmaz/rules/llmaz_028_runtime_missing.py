"""A BackendRuntime is not there.

The controller fails again and again, and the Playground gets no condition. Without a name it is `vllm` that is looked for.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.families.llmaz.subject.references import RUNTIMES


@services.warning(
    kinds=("Playground",),
    about=REFERENCE | FAILURE,
    mirrors="BackendRuntime.inference.llmaz.io not found",
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="warns-of-a-runtime-in-capitals",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.choice is None:
        return
    name = serving.choice.runtime
    if serving.is_runtime_missing or not name:
        path = ("spec", "backendRuntimeConfig", "backendName")
        message = f"BackendRuntime {name} isn't there" if name else "the name of the BackendRuntime is empty"
        yield Violation(
            path, message, found=name, nearest=RUNTIMES.nearest(given.facts, "", name), hint="create it, or name one that is there"
        )
    elif serving.runtime is None:
        yield NotChecked(RUNTIMES.unknown)
