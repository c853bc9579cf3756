"""What is filled into an InferenceModel that its author left open.

Upstream leaves `criticality` without a default by design, so that a later field may exclude it; implementations take an unset one for
Standard. Only a cluster's configuration fills it in. The group and kind of `poolRef` come from the CRD's own defaults.
Source: Gateway API Inference Extension v0.5.1, api/v1alpha2/inferencemodel_types.go.
"""

from __future__ import annotations

from policies.config import Configuration
from policies.facts import Facts
from policies.families.inference_extension.settings import InferenceExtension
from policies.families.mutation import Mutation
from policies.request import Request


def inference_model(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in an InferenceModel."""
    criticality = config.settings_of(InferenceExtension).criticality
    if criticality and isinstance(mutation.object.get("spec"), dict):
        mutation.fill(("spec", "criticality"), criticality, source="configuration", reason="inferenceExtension.criticality")
