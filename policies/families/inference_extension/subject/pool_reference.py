"""The reference to a pool that InferenceModel, InferenceObjective and InferenceModelRewrite have in common.

The endpoint picker of v0.5.1 compares only the name, later ones also the group; none compares the kind.
Source: Gateway API Inference Extension v0.5.1, pkg/epp/controller/inferencemodel_reconciler.go; v1.5.0, pkg/epp/controller; upstream issues
1275 and 1306.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.inference_extension.kinds import EXPERIMENTAL, STABLE
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONValue, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request


@dataclass(frozen=True, slots=True)
class PoolReference:
    """A reference to a pool of the object's own namespace."""

    namespace: str
    group: str
    kind: str
    name: str

    @property
    def other_group(self) -> str:
        """The other one of the two groups of pools."""
        return EXPERIMENTAL if self.group == STABLE else STABLE

    def means(self, other: PoolReference) -> bool:
        """Whether both references are to the same pool; the kind isn't compared."""
        return (self.namespace, self.group, self.name) == (other.namespace, other.group, other.name)


def reference_of(obj: JSONValue, kind: str, namespace: str) -> PoolReference:
    """The `poolRef` of an object, with the CRD's defaults."""
    found = part(spec_of(obj if isinstance(obj, dict) else None), "poolRef")
    group = text(found, "group", EXPERIMENTAL if kind == "InferenceModel" else STABLE)
    return PoolReference(namespace, group, text(found, "kind", "InferencePool"), text(found, "name"))


def referred(request: Request) -> PoolReference:
    """The pool reference of a request's object."""
    obj = request.object if isinstance(request.object, dict) else {}
    return reference_of(obj, request.gvk.kind, request.namespace or namespace_of(obj))
