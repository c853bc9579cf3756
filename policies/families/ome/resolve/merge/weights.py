"""What fine-tuned weights change of a service's pods.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components and utils/reconciliation.go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from policies.families.ome.kinds import PREFIX
from policies.families.ome.resolve.serving import Serving
from policies.families.ome.subject.services import annotation, uses_fine_tuned_weights
from policies.fields import part, text
from policies.objects import JSONObject

FOLDER: Final = "/opt/ml/model"
VOLUME: Final = "model-empty-dir"
#: The vendors for whose models OME tells the engine where the weights are.
_TOLD: Final = ("meta", "cohere")


@dataclass(frozen=True, slots=True)
class Weights:
    """The fine-tuned weights of a service; without any `name` is empty. `is_fetched` is whether OME loads the model itself into memory."""

    name: str = ""
    strategy: str = ""
    is_merged: bool = False
    is_fetched: bool = False
    vendor: str = ""

    @property
    def labels(self) -> JSONObject:
        """The labels of workload and pod."""
        if not self.name:
            return {"fine-tuned-serving": "false"}
        merged = {"fine-tuned-serving-with-merged-weights": "true" if self.is_merged else "false"}
        return {"fine-tuned-serving": "true", **merged, **({"fine-tuned-weight-ft-strategy": self.strategy} if self.strategy else {})}

    @property
    def annotations(self) -> JSONObject:
        """The annotations of workload and pod."""
        if not self.name:
            return {}
        told = {"inject-fine-tuned-adapter": self.name} | ({"fine-tuned-weight-ft-strategy": self.strategy} if self.strategy else {})
        told |= {"fine-tuned-serving-with-merged-weights": "true"} if self.is_merged else {}
        return {PREFIX + key: value for key, value in told.items()}

    @property
    def env(self) -> list[JSONObject]:
        """The variables that tell the engine of the weights."""
        if not self.name or self.vendor not in _TOLD:
            return []
        return [{"name": "SERVED_MODEL_NAME", "value": f"/data/{self.name}"}, {"name": "MODEL_PATH", "value": FOLDER}]

    @property
    def volumes(self) -> list[JSONObject]:
        """Where the weights are put; without a strategy OME forgets it, and the API server refuses the pod's mount."""
        return [{"name": VOLUME, "emptyDir": {"medium": "Memory"}}] if self.is_fetched or (self.name and self.strategy) else []

    @property
    def mounts(self) -> list[JSONObject]:
        """The mounts of the volume."""
        return [{"name": VOLUME, "mountPath": FOLDER}] if self.name else []


def weights_of(serving: Serving) -> Weights:
    """The weights of a service."""
    names = uses_fine_tuned_weights(serving.stored)
    is_fetched = annotation(serving.stored, "inject-model-init") == "true"
    if not names:
        return Weights(is_fetched=is_fetched)
    found = serving.fine_tuned_weight(names[0])
    is_merged = part(found, "spec", "configuration").get("merged_weights") is True
    model = serving.model.model
    vendor = text(model.spec, "vendor") if model is not None else ""
    return Weights(names[0], text(part(found, "spec", "hyperParameters"), "strategy"), is_merged, is_fetched, vendor)
