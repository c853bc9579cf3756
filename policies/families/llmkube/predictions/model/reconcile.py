"""What the operator makes of a Model: its status, and where it is prefetched a Job and the volume that it downloads into.

Source: LLMKube v0.9.19, internal/controller/model_controller.go and model_prefetch.go.
"""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.predictions.model.prefetch import prefetch
from policies.families.llmkube.predictions.model.state import FAILED, READY, model_state
from policies.families.llmkube.predictions.service.reconcile import as_stored
from policies.families.prediction import Effective
from policies.ground.findings import Unchecked
from policies.ground.objects import namespace_of
from policies.ground.request import Request


def resolve(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """The prediction; `None` for what has no spec, and for subresources. Total."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    model, operator = as_stored(found, namespace_of(found) or request.namespace or "default"), operator_for(request, facts, config)
    state = model_state(model, operator, facts)
    unknown = (Unchecked("what LLMKube makes of it", f"its state depends on {state.unknown}"),) if state.unknown else ()
    ahead = prefetch(model, operator, facts)
    return Effective(
        status=state.as_json(),
        objects=(*ahead.claims, ahead.job) if ahead is not None else (),
        settings=operator.settings(),
        failure=state.problem or (ahead.problem if ahead is not None else ""),
        waits="" if state.phase in (READY, FAILED) else state.message,
        unchecked=unknown,
    )
