"""What OME's controller creates for a service that has a model and a runtime, or why it stops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.kinds import FINE_TUNED_WEIGHTS
from weighbridge.policies.families.ome.operator import operator_of
from weighbridge.policies.families.ome.predictions.failures import failure_of
from weighbridge.policies.families.ome.predictions.merge.components import Component, Mode, components_of
from weighbridge.policies.families.ome.predictions.merge.model_config import described
from weighbridge.policies.families.ome.predictions.merge.placeholders import PlaceholderError, UnknownPlaceholderError
from weighbridge.policies.families.ome.predictions.merge.pods import CommonPart, PodError
from weighbridge.policies.families.ome.predictions.merge.sources import added_values, values_of
from weighbridge.policies.families.ome.predictions.merge.weights import absence, unreadable, uri_of_weight, weights_of
from weighbridge.policies.families.ome.predictions.merge.workloads import Maker, ObjectRefusal
from weighbridge.policies.families.ome.subject.runtime import Runtime
from weighbridge.policies.families.ome.subject.selection.choice import format_for
from weighbridge.policies.families.ome.subject.service import Service, service_of
from weighbridge.policies.families.ome.subject.service_spec import weight_names
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.fields import items, part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request

_WORKLOADS: Final = ("Deployment", "LeaderWorkerSet")


class Workloads:
    """The components of a service and the objects that OME creates for them; `failure` says why OME stops."""

    def __init__(self, service: Service, runtime: Runtime) -> None:
        self.components = components_of(service.stored, runtime.obj)
        #: The settings of the manager and its webhooks.
        self.operator = operator_of(service.facts)
        #: Whether its author wrote a legacy predictor.
        self.is_migrated = service.is_migrated
        self._service = service
        #: If one of the components fails, the objects before it are still created. The ConfigMap has no data here, since no rule reads it.
        self.objects: list[JSONObject] = []
        self.shares = {component.name: _share(service, runtime, component) for component in self.components}
        #: The URI of the fine-tuned weight that the pods get, as far as it is known.
        self.weight_uri = uri_of_weight(service)
        #: Why OME can't read the fine-tuned weights.
        self.unreadable = unreadable(service)
        self.failure = absence(service) or _cannot(self.components) or self.unreadable
        self.error: PodError | None = None
        #: The workloads that the API server refuses.
        self.refusals: Sequence[ObjectRefusal] = ()
        #: Facts that aren't known and are assumed.
        self.assumed: Sequence[str] = ()
        #: Why Go's templates refuse the main container, and why the pods aren't known.
        self.placeholder, self.unknown = "", _unknown(service)
        if self.failure or self.unknown:
            return
        maker = Maker(service.stored, self.components, self.shares, service.facts)
        self.refusals, self.assumed = maker.refusals, maker.unknown
        try:
            for obj in maker.objects():
                self.objects.append(obj)
        except PodError as error:
            self.failure, self.error = str(error), error
        except PlaceholderError as error:
            self.failure = self.placeholder = str(error)
        except UnknownPlaceholderError as error:
            self.unknown = str(error)

    def whole_objects(self) -> Iterator[JSONObject]:
        """The objects, with the data of the ConfigMap."""
        for obj in self.objects:
            yield described(obj, self._service.stored, self._service.facts) if obj["kind"] == "ConfigMap" else obj

    @property
    def front(self) -> Component | None:
        """The component to which the service's own Service sends: the router, or else the first."""
        last = next(iter(self.components[-1:]), None)
        return last if last is not None and last.name == "router" else next(iter(self.components), None)

    @property
    def is_refused(self) -> bool:
        """Whether the API server or OME refuses a part of the service."""
        return bool(self.refusals or self.unreadable)

    def values(self) -> Iterator[PredictedValue]:
        """The values of the pods, each with its source."""
        for component in self.components:
            for obj in self.objects if component.mode is not Mode.RAY else ():
                if obj["kind"] in _WORKLOADS and obj["metadata"]["labels"].get("component") == component.name:
                    yield from values_of(obj, component, self.shares[component.name])
                    yield from added_values(obj, self.operator.settings)


def workloads_for(service: Service) -> Workloads | None:
    """What OME creates for a service; `None` if its controller fails before that, or creates nothing."""
    runtime = service.runtime
    if runtime is None or service.model is None or service.is_virtual or failure_of(service):
        return None
    return Workloads(service, runtime)


def workloads_of(request: Request, facts: Facts, config: Configuration) -> Workloads | None:
    """What OME creates for the service of a request, predicted once."""
    service = service_of(request, facts, config)
    return request.once(Workloads, lambda: workloads_for(service)) if service is not None else None


def _cannot(components: list[Component]) -> str:
    """Why OME's controller creates nothing at all."""
    has_engine = any(component.name == "engine" for component in components)
    return "" if has_engine else "it has no engine, and OME's controller creates nothing without one"


def _unknown(service: Service) -> str:
    """Why the pods aren't known: their fine-tuned weight, on which they depend, may exist."""
    names = weight_names(service.stored)
    return FINE_TUNED_WEIGHTS.unknown if names and FINE_TUNED_WEIGHTS.is_missing(service.facts, "", names[0]) is None else ""


def _share(service: Service, runtime: Runtime, component: Component) -> CommonPart:
    model = service.model
    if model is None:
        raise PodError("it has no model")
    choice = service.classes.get(component.name)
    accelerator = choice.accelerator if choice is not None else None
    override = None
    if accelerator is not None:
        found = format_for(model, runtime, is_auto=service.is_auto_selected)
        if found is not None:
            item = items(runtime.spec, "supportedModelFormats")[found.index]
            override = part(item, "acceleratorConfig", accelerator.name) or None
    return CommonPart(service.stored, model, runtime.obj, accelerator, override, weights_of(service, component))
