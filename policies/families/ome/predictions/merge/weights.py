"""What fine-tuned weights change in a service's pods.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/components and utils/reconciliation.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.families.ome.kinds import FINE_TUNED_WEIGHTS, PREFIX
from weighbridge.policies.families.ome.predictions.merge.arguments import with_variable
from weighbridge.policies.families.ome.predictions.merge.components import Component
from weighbridge.policies.families.ome.subject.service import Service
from weighbridge.policies.families.ome.subject.service_spec import weight_names
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

FOLDER: Final = "/opt/ml/model"
VOLUME: Final = "model-empty-dir"
_TFEW_FOLDER: Final = "/opt/ml/tfew"
_INIT: Final = f"{PREFIX}inject-model-init"
_ADAPTER: Final = f"{PREFIX}inject-fine-tuned-adapter"


@dataclass(frozen=True, slots=True)
class FineTunedWeights:
    """The fine-tuned weights of a service; without any `name` is empty. `is_fetched` is whether OME loads the model itself into memory,
    `is_asked_for` whether the service has the annotation of weights without any.

    Without a `strategy` OME drops every annotation of the workload. `form` is the name of the model's format.
    """

    name: str = ""
    strategy: str = ""
    is_merged: bool = False
    is_fetched: bool = False
    is_asked_for: bool = False
    vendor: str = ""
    form: str = ""

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
        given = {_ADAPTER: self.name} | ({f"{PREFIX}fine-tuned-weight-ft-strategy": self.strategy} if self.strategy else {})
        return given | ({f"{PREFIX}fine-tuned-serving-with-merged-weights": "true", _INIT: "false"} if self.is_merged else {})

    @property
    def leaves_model_mounted(self) -> bool:
        """Whether the container reads the model's own files."""
        return not self.is_fetched and not (self.is_merged and self.strategy)

    @property
    def volumes(self) -> list[JSONObject]:
        """The volumes for the weights. Without a strategy OME adds no volume, and the API server refuses the pod's mount."""
        is_needed = self.is_fetched or self.is_asked_for or (self.name and self.strategy)
        return [{"name": VOLUME, "emptyDir": {"medium": "Memory"}}] if is_needed else []

    def with_variables(self, env: Sequence[JSONObject]) -> list[JSONObject]:
        """The variables of a container, with those by which the engine finds the weights."""
        out = list(env)
        if self.name and self.vendor == "meta":
            out = with_variable(out, "SERVED_MODEL_NAME", f"/data/{self.name}")
            return _completed(out, "MODEL_PATH", FOLDER)
        return _completed(out, "TFEW_PATH", f"{_TFEW_FOLDER}/fastertransformer/1") if self._is_stacked else out

    def mounted(self, mounts: Sequence[JSONObject]) -> list[JSONObject]:
        """The mounts of a container, with those of the weights' volume."""
        out = list(mounts)
        if not self.name:
            return out
        mount: JSONObject = {"name": VOLUME, "mountPath": FOLDER}
        if not any(text(found, "name") == VOLUME for found in out):
            out.append(mount)
        if not self._is_stacked:
            return out
        own = next(index for index, found in enumerate(out) if text(found, "name") == VOLUME)
        out[own] = {**mount, "mountPath": f"{FOLDER}/{self.form}", "subPath": "base"}
        return [*out, {"name": VOLUME, "mountPath": f"{_TFEW_FOLDER}/{self.form}", "readOnly": True, "subPath": "finetuned"}]

    @property
    def _is_stacked(self) -> bool:
        """Whether the container combines the weights with the model's, as for one vendor and one strategy."""
        return bool(self.name) and (self.vendor, self.strategy) == ("cohere", "tfew") and not self.is_merged


def weights_of(service: Service, component: Component) -> FineTunedWeights:
    """The weights of a service for a component; a router gets none."""
    names = weight_names(service.stored) if component.name != "router" else ()
    annotations = component.annotations(service.stored)
    is_fetched = annotations.get(_INIT) == "true"
    if not names:
        return FineTunedWeights(is_fetched=is_fetched, is_asked_for=bool(annotations.get(_ADAPTER)))
    found = FINE_TUNED_WEIGHTS.get(service.facts, "", names[0])
    is_merged = part(found, "spec", "configuration").get("merged_weights") is True
    strategy = text(part(found, "spec", "hyperParameters"), "strategy")
    model = service.model
    return FineTunedWeights(
        name=names[0],
        strategy=strategy,
        is_merged=is_merged,
        is_fetched=is_fetched and bool(strategy) and not is_merged,
        vendor=text(model.spec, "vendor") if model is not None else "",
        form=model.format_name if model is not None else "",
    )


def uri_of_weight(service: Service) -> str:
    """The URI of the first fine-tuned weight of a service, which its pods get; empty without one, or if it isn't known."""
    names = weight_names(service.stored)
    found = FINE_TUNED_WEIGHTS.get(service.facts, "", names[0]) if names else None
    return text(part(found, "spec", "storage"), "storageUri")


def absence(service: Service) -> str:
    """Why OME's controller finds no weights, and so creates nothing; empty if it finds them."""
    names = weight_names(service.stored)
    if len(names) > 1:
        return "OME's controller takes one name in spec.model.fineTunedWeights"
    missing = names and FINE_TUNED_WEIGHTS.is_missing(service.facts, "", names[0])
    return f"FineTunedWeight {names[0]} doesn't exist" if missing else ""


def unreadable(service: Service) -> str:
    """Why OME's controller can't read the weights, and so creates nothing; empty if it can."""
    names = weight_names(service.stored)
    found = FINE_TUNED_WEIGHTS.get(service.facts, "", names[0]) if names else None
    if found is None:
        return ""
    title = f"FineTunedWeight {names[0]}"
    if part(found, "spec").get("configuration") is None:
        return f"OME reads the configuration of {title}, and there is none"
    strategy = part(found, "spec", "hyperParameters").get("strategy")
    if strategy is not None and not isinstance(strategy, str):
        return f"OME's controller panics on hyperParameters.strategy of {title}, which isn't text"
    return ""


def _completed(env: list[JSONObject], name: str, value: str) -> list[JSONObject]:
    """Variables with one more, unless they have it."""
    return env if any(text(entry, "name") == name for entry in env) else [*env, {"name": name, "value": value}]
