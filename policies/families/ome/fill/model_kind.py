"""The kind of a service's model, if only the namespace has a model of that name.

The CRD defaults `spec.model.kind` to `ClusterBaseModel`. Pods get the model only by its name, but OME's controller first looks it up by
its kind, and with the default for a BaseModel the service gets no pods. If a BaseModel of the namespace has the name and no
ClusterBaseModel does, Weighbridge writes `BaseModel`. It keeps this value if a ClusterBaseModel of the name is created later, because the
pods keep the BaseModel. It keeps a kind that the author wrote.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/modelconfig and pkg/apis/ome/v1beta1/inference_service.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.updates import settle_value
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, Path, lookup

_PATH: Final[Path] = ("spec", "model", "kind")
_OWN: Final = BASE_MODELS.kind


def fill_kind(mutation: Mutation, namespace: str, facts: Facts) -> None:
    """Fill in the kind of a service's model."""
    if not text(part(spec_of(mutation.object), "model"), "name"):
        return
    is_ours = lookup(mutation.object, _PATH) == _OWN
    settle_value(
        mutation,
        _PATH,
        lambda service: _kind(service, namespace, facts, is_ours=is_ours),
        unset=CLUSTER_BASE_MODELS.kind,
        is_unset_refused=True,
        no_longer="the namespace has no BaseModel of that name any more",
    )


def _kind(service: JSONObject, namespace: str, facts: Facts, *, is_ours: bool) -> Filling | None:
    name = text(part(spec_of(service), "model"), "name")
    if BASE_MODELS.get(facts, namespace, name) is not None:
        if is_ours or CLUSTER_BASE_MODELS.is_missing(facts, "", name):
            return Filling(_OWN, "cluster", f'only namespace "{namespace}" has a model "{name}"')
        return None
    if is_ours and CLUSTER_BASE_MODELS.get(facts, "", name) is None:
        # Neither model exists, or that isn't known. The kind that was filled in before is the more likely one.
        return Filling(_OWN, "cluster", "the model was one of the namespace before")
    return None
