"""The kinds of OME, and how they are looked up."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.objects import GroupVersionKind

GROUP: Final = "ome.io"
#: Annotations of OME begin with this.
PREFIX: Final = f"{GROUP}/"

BASE_MODELS: Final = Referent(GROUP, "BaseModel")
CLUSTER_BASE_MODELS: Final = Referent(GROUP, "ClusterBaseModel")
RUNTIMES: Final = Referent(GROUP, "ServingRuntime")
CLUSTER_RUNTIMES: Final = Referent(GROUP, "ClusterServingRuntime")
ACCELERATOR_CLASSES: Final = Referent(GROUP, "AcceleratorClass", "AcceleratorClasses")
FINE_TUNED_WEIGHTS: Final = Referent(GROUP, "FineTunedWeight")
INFERENCE_SERVICES: Final = Referent(GROUP, "InferenceService")


def gvk_of(kind: str) -> GroupVersionKind:
    """The kind with its group and version."""
    return GroupVersionKind(GROUP, "v1beta1", kind)
