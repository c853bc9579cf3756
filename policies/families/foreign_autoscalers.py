"""Autoscalers that users write themselves, for rules that check whether one scales what an operator owns.

Sources: Kubernetes v1.36, autoscaling/v2 HorizontalPodAutoscaler; KEDA v2.17, apis/keda/v1alpha1 ScaledObject, whose target is a
Deployment unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.kept_parts import only_read
from weighbridge.policies.families.family import Kind
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

_FIELDS: Final = only_read("spec.scaleTargetRef", "metadata.ownerReferences")
#: The kinds that a family must look up for these functions.
KINDS: Final = (
    Kind(GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler"), "horizontalpodautoscalers", transform=_FIELDS),
    Kind(GroupVersionKind("keda.sh", "v1alpha1", "ScaledObject"), "scaledobjects", transform=_FIELDS),
)
#: The same kinds, as the `reads` of rules name them.
READ: Final = tuple(f"{kind.gvk.kind}.{kind.gvk.group}" for kind in KINDS)


@dataclass(frozen=True, slots=True)
class ScaleTarget:
    """The target of an autoscaler, without the version of its kind, which isn't compared."""

    group: str
    kind: str
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class Autoscaler:
    """An autoscaler and its target; `is_made` if a controller created it."""

    kind: str
    name: str
    target: ScaleTarget
    is_made: bool

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"'


def foreign_autoscalers(facts: Facts, target: ScaleTarget) -> Iterator[Autoscaler]:
    """The known autoscalers of a target, without those that a controller created."""
    for kind in KINDS:
        found: Sequence[Autoscaler] = facts.objects.read_where(kind.gvk.group, kind.gvk.kind, _read, _filed, target)
        yield from (autoscaler for autoscaler in found if not autoscaler.is_made)


def _filed(autoscaler: Autoscaler) -> Iterator[ScaleTarget]:
    yield autoscaler.target


def _read(obj: JSONObject) -> Autoscaler:
    reference = part(obj, "spec", "scaleTargetRef")
    group = text(reference, "apiVersion", "apps/v1").rpartition("/")[0]
    target = ScaleTarget(group, text(reference, "kind", "Deployment"), namespace_of(obj), text(reference, "name"))
    is_made = any(owner.get("controller") is True for owner in items(obj, "metadata", "ownerReferences"))
    return Autoscaler(text(obj, "kind"), name_of(obj), target, is_made)
