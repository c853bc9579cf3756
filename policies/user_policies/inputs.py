"""The values of the variables for one review, each computed when a policy first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any, Final

from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, Timestamp
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.findings import PodPlacement
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.workloads import pods_of
from weighbridge.policies.user_policies.lookups import ClusterView
from weighbridge.policies.user_policies.vocabulary import CLUSTER, EFFECTIVE, NAMESPACE, NOW, OBJECT, OLD, PLACEMENT, REQUEST

#: The part of `request` that only a webhook knows.
USER: Final = "userInfo"


class MissingFactError(Exception):
    """A fact is missing, so that a policy can't be checked; the text says which."""


@dataclass(frozen=True, slots=True)
class Made:
    """What the operator creates for the object: the prediction, and the placement if it is already known.

    `is_predicted` says that the kind has predictions.
    """

    prediction: Prediction | None
    placement: PodPlacement | None
    is_predicted: bool


class RequestInputs:
    """The values for one request. `wanted` are the parts of variables that the policies name, by variable."""

    def __init__(
        self,
        request: Request,
        facts: Facts,
        config: Configuration,
        made: Callable[[], Made],
        wanted: Mapping[str, frozenset[str]],
    ) -> None:
        self.request = request
        self._facts = facts
        self._config = config
        self._made = made
        self._wanted = wanted
        self._memory = Memory()
        self.cluster = ClusterView(facts.objects, request.namespace)

    def value(self, name: str) -> Any:
        """The value of a variable, as JSON if its type is declared. Raises MissingFactError."""
        if name == OBJECT:
            return self.request.object
        return self._memory.once(name, lambda: _VALUES[name](self))

    @property
    def made(self) -> Made:
        """What the operator creates."""
        return self._memory.once("made", self._made)

    def _old(self) -> Any:
        return self.request.old_object if isinstance(self.request.old_object, dict) else None

    def _request(self) -> JSONObject:
        request = self.request
        if USER in self._wanted[REQUEST] and not request.user_info:
            raise MissingFactError("the user isn't known offline")
        gvk = request.gvk
        return {
            "operation": str(request.operation),
            "name": request.name,
            "namespace": request.namespace,
            "kind": {"group": gvk.group, "version": gvk.version, "kind": gvk.kind},
            "subResource": request.subresource,
            "dryRun": request.dry_run,
            USER: dict(request.user_info or {}),
        }

    def _namespace(self) -> JSONObject | None:
        namespace = self.request.namespace
        if not namespace:
            return None
        labels = namespace_labels(namespace, self._facts.objects)
        if labels is None:
            raise MissingFactError(f"namespace {namespace} isn't known")
        return {"metadata": {"name": namespace, "labels": labels}}

    def _effective(self) -> JSONObject:
        from weighbridge.policies.user_policies.effective import Effective

        obj = self.request.object
        return Effective(obj if isinstance(obj, dict) else {}, self._predicted().prediction).as_data(self._wanted[EFFECTIVE])

    def _predicted(self) -> Made:
        """What the operator creates, if it can be known. Raises MissingFactError."""
        made = self.made
        prediction = made.prediction
        if made.is_predicted and prediction is None:
            raise MissingFactError("what the operator creates for the object can't be predicted")
        if prediction is not None and prediction.unchecked and not prediction.objects:
            raise MissingFactError(prediction.unchecked[0].reason)
        return made

    def _placement(self) -> JSONObject:
        from weighbridge.policies.user_policies.placed import placement_data

        made, inventory = self._predicted(), self._facts.inventory
        objects: Sequence[JSONObject] = ()
        if made.prediction is not None:
            objects = made.prediction.placed() if made.prediction.placed is not None else made.prediction.objects
        if not any(map(pods_of, objects)):
            return placement_data(None, inventory, self._wanted[PLACEMENT])
        if inventory is None:
            raise MissingFactError("nothing is known of the cluster's nodes")
        placement = made.placement
        if placement is None:
            from weighbridge.policies.placement.request_pods import placed

            found = placed(objects, self._facts, self._config, self.request.namespace or "default")
            placement = found[1] if found is not None else None
        return placement_data(placement, inventory, self._wanted[PLACEMENT])

    def _cluster(self) -> ClusterView:
        return self.cluster

    def _now(self) -> Timestamp:
        moment = self.request.moment or self._config.moment
        if moment is None:
            raise MissingFactError("the time isn't known")
        return Timestamp(int(moment.astimezone(UTC).timestamp() * 1000) * (NANOS_PER_SECOND // 1000))


_VALUES: Final[Mapping[str, Callable[[RequestInputs], Any]]] = {
    OLD: RequestInputs._old,  # noqa: SLF001 - the table of this class
    REQUEST: RequestInputs._request,  # noqa: SLF001
    NAMESPACE: RequestInputs._namespace,  # noqa: SLF001
    EFFECTIVE: RequestInputs._effective,  # noqa: SLF001
    PLACEMENT: RequestInputs._placement,  # noqa: SLF001
    CLUSTER: RequestInputs._cluster,  # noqa: SLF001
    NOW: RequestInputs._now,  # noqa: SLF001
}
