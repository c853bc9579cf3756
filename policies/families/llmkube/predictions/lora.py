"""What the operator does with a LoRAAdapter: the conditions that follow from the service it names.

Only the running server shows whether it accepts the adapter, so neither `Loaded` nor `Error` is predicted if the service can load adapters.
Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.operator import operator_of
from weighbridge.policies.families.llmkube.subject.adapters import SGLANG, runtime, target
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.prediction import Prediction, condition
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request


def lora(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction for a LoRAAdapter."""
    if not isinstance(request.object, dict):
        return None
    operator = operator_of(facts, config)
    if not operator.since(0, 9, 6):
        return Prediction({}, settings=operator.settings(), failure=f"{operator.name} has no LoRAAdapter")
    namespace, name = target(request.object, request.namespace)
    service = facts.objects.get(GROUP, "InferenceService", namespace, name)
    if service is None and not facts.objects.knows_all(GROUP, "InferenceService"):
        unknown = Unchecked("status", f"InferenceService {namespace}/{name} isn't known here")
        return Prediction({}, settings=operator.settings(), unchecked=(unknown,))
    if service is None:
        reason, message = "InferenceServiceNotFound", f"InferenceService.{GROUP} {quote(name)} not found"
        conditions = _unfit(reason, message, "waiting for the referenced InferenceService to exist", message)
        return Prediction({"conditions": conditions}, settings=operator.settings(), failure=message)
    if runtime(service) != SGLANG:
        message = f"referenced InferenceService/{namespace}/{name} runtime={quote(runtime(service))}, expected sglang"
        error = "load cannot proceed against a non-sglang runtime"
        conditions = _unfit("RuntimeMismatch", message, "skipped: target runtime is not sglang", error)
        return Prediction({"conditions": conditions}, settings=operator.settings(), failure=message)
    fit = [condition("Available", "True", "ReconcileSuccess", "InferenceService exists and is sglang")]
    unknown = Unchecked("Loaded, Error", "whether the server loads the adapter is known once it runs")
    return Prediction({"conditions": fit}, settings=operator.settings(), unchecked=(unknown,))


def _unfit(reason: str, available: str, loaded: str, error: str) -> list[JSONObject]:
    return [
        condition("Available", "False", reason, available),
        condition("Loaded", "False", reason, loaded),
        condition("Error", "True", reason, error),
    ]
