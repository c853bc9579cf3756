"""What the operator writes and creates for a Model: its status, and for a prefetch a Job and the claim that the Job fills.

Source: LLMKube v0.9.19, internal/controller/model_controller.go and model_prefetch.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.predictions.model.prefetch import prefetch
from weighbridge.policies.families.llmkube.predictions.model.state import READY, REFUSED, model_state
from weighbridge.policies.families.llmkube.subject.stored import as_stored
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import namespace_of
from weighbridge.policies.ground.request import Request


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction; `None` without a spec, and for subresources. It never fails."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    model, operator = as_stored(found, namespace_of(found) or request.namespace or "default"), operator_for(request, facts, config)
    state = model_state(model, operator, facts)
    unknown = (Unchecked("what LLMKube does with it", f"its state depends on {state.unknown}"),) if state.unknown else ()
    ahead = prefetch(model, operator, facts) if state.reason not in REFUSED else None
    return Prediction(
        status=state.as_json(),
        objects=ahead.objects if ahead is not None else (),
        settings=operator.settings(),
        failure=state.problem or (ahead.problem if ahead is not None else ""),
        waits="" if state.problem or state.phase == READY else state.message,
        unchecked=unknown,
    )
