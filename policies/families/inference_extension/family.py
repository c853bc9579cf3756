"""The Gateway API Inference Extension family: its kinds and what it fills in."""

from __future__ import annotations

from typing import Final

from policies.facts.trimming import only_read
from policies.families.family import Family, Fill, Kind
from policies.families.inference_extension import defaults
from policies.objects import GroupVersionKind

FAMILY: Final = Family(
    name="inference_extension",
    title="Gateway API Inference Extension",
    kinds=(Kind(GroupVersionKind("inference.networking.x-k8s.io", "v1alpha2", "InferenceModel"), "inferencemodels"),),
    defaults={"InferenceModel": defaults.inference_model},
    fills=(Fill("InferenceModel", "spec.criticality", "policies.families.inference_extension.defaults"),),
    package="policies.families.inference_extension",
    looks_up=(
        Kind(GroupVersionKind("inference.networking.x-k8s.io", "v1alpha2", "InferencePool"), "inferencepools", transform=only_read()),
        Kind(GroupVersionKind("inference.networking.k8s.io", "v1", "InferencePool"), "inferencepools", transform=only_read()),
    ),
)
