"""What is filled into an InferenceModel that its author left open.

Upstream leaves `criticality` without a default by design, so that a later field may exclude it; implementations take an unset one for
Standard. Only a cluster's configuration fills it in. The group and kind of `poolRef` come from the CRD's own defaults.
Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go.
"""

from __future__ import annotations

from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.filling.settling import settle_value
from policies.families.filling.value import Filling
from policies.families.inference_extension.settings import InferenceExtension
from policies.families.mutation import Mutation
from policies.objects import Path
from policies.request import Request

_CRITICALITY: Final[Path] = ("spec", "criticality")


def inference_model(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in an InferenceModel."""
    criticality = config.settings_of(InferenceExtension).criticality
    filling = Filling(criticality, "configuration", "inferenceExtension.criticality") if criticality else None
    if isinstance(mutation.object.get("spec"), dict):
        settle_value(mutation, _CRITICALITY, lambda _: filling, no_longer="inferenceExtension.criticality is no longer configured")
