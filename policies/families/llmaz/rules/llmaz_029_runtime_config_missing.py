"""A runtime has no recommended configuration of the name that is looked for.

Without `configName` it is `default`, or with a draft `speculative-decoding`. The controller fails again and again, and the Playground
gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.runtime import config_names
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.spelling import similar


@services.error(
    kinds=("Playground",),
    about=FAILURE,
    mirrors="failed to parse backendRuntime",
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-a-configuration-that-the-runtime-lacks",
)
def check(serving: Serving) -> Said:
    if serving.choice is None or serving.runtime is None or serving.config is not None:
        return
    choice, names = serving.choice, config_names(serving.runtime)
    message = f"BackendRuntime {choice.runtime} has no configuration {choice.config or 'with an empty name'}"
    path = ("spec", "backendRuntimeConfig", "configName")
    yield Violation(path, message, found=choice.config, nearest=similar(choice.config, names, otherwise=4))
