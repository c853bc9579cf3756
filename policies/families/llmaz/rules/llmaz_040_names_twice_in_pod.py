"""Something in the pods would have a name that llmaz gives as well.

The loader gets the variables of the first container before its own; the volume of the models is `model-volume`, mounted at
`/workspace/models/`. With a name or path twice the LeaderWorkerSet is never applied. So it is with the Service of a Playground that leaves
its runtime as it is, where that names a variable twice. Rename what is yours, or let the engine load the model with the annotation
`llmaz.io/skip-model-loader: "true"`.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from dataclasses import replace

from weighbridge.policies.families.llmaz.predictions.playground import service_of
from weighbridge.policies.families.llmaz.predictions.service import outcome_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.objects import JSONObject


@services.error(
    about=FAILURE,
    reads=CLAIM_READS,
    good="accepts-a-variable-of-the-loader-without-a-loader",
    bad="refuses-a-variable-of-the-loader",
)
def check(serving: Serving) -> Said:
    if serving.choice is not None and serving.runtime is None and serving.is_runtime_missing is None:
        # Whatever the runtime is, the Playground's own variables are those of its container.
        spec: JSONObject = {"image": "engine", "version": "any", "recommendedConfigs": [{"name": serving.choice.config}]}
        serving = replace(serving, runtime={"spec": spec})
    service, trouble = (serving.object, None) if serving.choice is None else service_of(serving)
    if any(source.scheme == "HOST" for source in serving.sources) or serving.operator.trouble:
        return
    failure = outcome_of(service, serving).failure if service is not None else trouble.failure if trouble is not None else ""
    _, between, told = failure.partition(", Kind=")
    _, _, told = told.partition("): ")
    if between:
        path = ("spec", "workloadTemplate") if serving.choice is None else ("spec", "backendRuntimeConfig")
        yield Violation(path, f"the pods can't be made: {told}", hint="rename or move it, or let the engine load the model itself")
