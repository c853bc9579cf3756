"""Which model a service gets.

OME looks twice. Its webhook and the code that creates pods take the BaseModel of the namespace, else the ClusterBaseModel, whatever
`model.kind` is. Before that its controller describes the model in a ConfigMap, and there only `model.kind` decides: if there is no model of
that kind, the service fails for good, with neither an event nor a status.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go and reconcilers/modelconfig.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS, FINE_TUNED_WEIGHTS, GROUP
from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, namespace_of
from weighbridge.policies.ground.records import dataclass, replace

_NAMESPACED: Final = BASE_MODELS.kind
_OF_CLUSTER: Final = CLUSTER_BASE_MODELS.kind
_FINE_TUNED: Final = FINE_TUNED_WEIGHTS.kind


@dataclass(frozen=True, slots=True)
class ModelReference:
    """The result of a service's `spec.model`: the model that it gets, and the one that its ConfigMap describes.

    `described` is the kind and name of the latter; `is_described` says whether that exists, `None` if it isn't known. `unknown` says why
    the model isn't known. `shadowed` is the ClusterBaseModel that a BaseModel of the same name hides.
    """

    name: str
    model: Model | None = None
    unknown: str = ""
    described: str = ""
    is_described: bool | None = None
    shadowed: Model | None = None

    @property
    def is_missing(self) -> bool:
        """Whether the service names a model that doesn't exist."""
        return bool(self.name) and self.model is None and not self.unknown


def find_model(referent: Referent, namespace: str, name: str, facts: Facts) -> Model | None:
    """A model by its name."""
    found = referent.get(facts, namespace, name)
    return read_model(found) if found is not None else None


def model_reference(service: JSONObject, facts: Facts) -> ModelReference:
    """The result of a service's `spec.model`."""
    reference = part(spec_of(service), "model")
    found = model_named(text(reference, "name"), namespace_of(service), facts)
    if not found.name:
        return found
    own, of_cluster = found.model, found.shadowed
    if own is not None and not own.namespace:
        own, of_cluster = None, own
    described, is_described = _described(reference, namespace_of(service), own, of_cluster, facts)
    return replace(found, described=described, is_described=is_described)


def model_named(name: str, namespace: str, facts: Facts) -> ModelReference:
    """The model of a name that pods in a namespace get."""
    if not name:
        return ModelReference(name)
    own = find_model(BASE_MODELS, namespace, name, facts)
    of_cluster = find_model(CLUSTER_BASE_MODELS, "", name, facts)
    unknown = ""
    if own is None and not facts.objects.knows_all(GROUP, _NAMESPACED):
        unknown = BASE_MODELS.unknown
    elif own is None and of_cluster is None and not facts.objects.knows_all(GROUP, _OF_CLUSTER):
        unknown = CLUSTER_BASE_MODELS.unknown
    if unknown and of_cluster is not None and own is None:
        # An unknown BaseModel could only shadow it, so the known model is the one that is meant.
        unknown = ""
    model = own if own is not None else of_cluster
    shadowed = of_cluster if own is not None else None
    return ModelReference(name, model, unknown, shadowed=shadowed)


def _described(reference: JSONObject, namespace: str, own: Model | None, of_cluster: Model | None, facts: Facts) -> tuple[str, bool | None]:
    """The model that the ConfigMap describes, and whether it exists."""
    name, kind = text(reference, "name"), text(reference, "kind", _OF_CLUSTER)
    if kind == _NAMESPACED:
        return f"{_NAMESPACED} {name}", _is_there(own is not None, BASE_MODELS, facts)
    if kind != _FINE_TUNED:
        return f"{_OF_CLUSTER} {name}", _is_there(of_cluster is not None, CLUSTER_BASE_MODELS, facts)
    weight = FINE_TUNED_WEIGHTS.get(facts, "", name)
    if weight is None:
        return f"{_FINE_TUNED} {name}", _is_there(False, FINE_TUNED_WEIGHTS, facts)
    base = part(spec_of(weight), "baseModelRef")
    where, base_name = text(base, "namespace"), text(base, "name")
    referent = BASE_MODELS if where else CLUSTER_BASE_MODELS
    found = referent.get(facts, where, base_name)
    return f"{referent.kind} {base_name}", _is_there(found is not None, referent, facts)


def _is_there(found: bool, referent: Referent, facts: Facts) -> bool | None:
    return found or (False if facts.objects.knows_all(GROUP, referent.kind) else None)
