"""What upstream's webhooks change in an object before it is stored.

Source: llmaz 3c13ff3, pkg/webhook.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.llmaz.kinds import MODEL_LABEL
from weighbridge.policies.families.llmaz.subject.claims import Claims
from weighbridge.policies.families.llmaz.upstream.rewrites import rewritten
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.objects import JSONObject, field
from weighbridge.policies.ground.request import Request

WEBHOOK: Final = "llmaz 3c13ff3 mutating webhook"


def rewritten_values(request: Request, facts: Facts, whole: str) -> list[PredictedValue]:
    """The values that Go writes in another form."""
    definition = facts.definitions.get(request.gvk)
    if definition is None or not isinstance(request.object, dict):
        return []
    found: JSONObject = request.object
    return [
        PredictedValue(whole, field(path), value, WEBHOOK, reason)
        for path, value, reason in rewritten(found, definition.openapi_schema).changes
    ]


def model_label(claims: Claims, whole: str) -> PredictedValue:
    """The label of a Playground that names its model: the last of two main models."""
    name = claims.mains[-1].name if claims.mains else ""
    return PredictedValue(whole, f"metadata.labels[{MODEL_LABEL}]", name, WEBHOOK, "the main model, at every write")
