"""The labels that upstream's webhooks write into an object before it is stored.

Source: llmaz 3c13ff3, pkg/webhook.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmaz.kinds import MODEL_LABEL
from weighbridge.policies.families.llmaz.subject.claims import Claims
from weighbridge.policies.families.prediction import PredictedValue

WEBHOOK: Final = "llmaz 3c13ff3 mutating webhook"


def model_label(claims: Claims, whole: str) -> PredictedValue:
    """The label of a Playground that names its model: the last of two main models."""
    name = claims.mains[-1].name if claims.mains else ""
    return PredictedValue(whole, f"metadata.labels[{MODEL_LABEL}]", name, WEBHOOK, "the main model, at every write")
