"""A service with the model, the runtime and the accelerator classes that it gets.

Sources: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go and
pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import ACCELERATOR_CLASSES, CLUSTER_RUNTIMES, GROUP, RUNTIMES
from weighbridge.policies.families.ome.operator import RAW, SERVERLESS, operator_of
from weighbridge.policies.families.ome.subject.accelerator_choice import ClassChoice, choose_class
from weighbridge.policies.families.ome.subject.components import COMPONENTS, configured
from weighbridge.policies.families.ome.subject.model import Model
from weighbridge.policies.families.ome.subject.model_references import ModelReference, model_reference
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.ome.subject.runtime import KEYS, Runtime, namespaced_keys, namespaces, read_runtime
from weighbridge.policies.families.ome.subject.selection.choice import (
    FITS,
    Ranking,
    RuntimeCandidate,
    RuntimeSelection,
    awaits,
    fit,
    ranking,
    ranking_of_all,
)
from weighbridge.policies.families.ome.subject.service_spec import (
    ACCELERATED,
    annotation,
    demanded_classes,
    has_component,
    has_full_runner,
    named_classes,
    runtime_name,
    weight_names,
)
from weighbridge.policies.families.ome.subject.stored import as_stored, uses_predictor
from weighbridge.policies.families.references import Referent
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject, Path, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request

#: With this mode OME's controller creates nothing and looks nothing up.
_VIRTUAL = "VirtualDeployment"
#: The modes that OME knows; with any other annotation the mode is that of its settings.
_MODES: Final = frozenset({RAW, SERVERLESS, _VIRTUAL, "MultiNode", "MultiNodeRayVLLM"})
_RUNTIME_KINDS: Final = tuple((GROUP, referent.kind) for referent in (RUNTIMES, CLUSTER_RUNTIMES))


@dataclass(frozen=True, slots=True)
class NamedRuntime:
    """The runtime that a service names: the object of that name, and whether it fits.

    `awaited` is the field of the model that OME's agent has to fill in before it can fit.
    """

    name: str
    runtime: Runtime | None
    candidate: RuntimeCandidate | None
    unknown: str = ""
    awaited: str = ""


class Service:
    """A service with all that is known of it; each part is computed when it is asked for."""

    def __init__(self, obj: JSONObject, facts: Facts, config: Configuration) -> None:
        """`obj` is the service as it is written, with its namespace and its name."""
        self.obj, self.facts, self.config = obj, facts, config
        self.name, self.namespace = name_of(obj), namespace_of(obj)
        #: The spec as it is written.
        self.written = spec_of(obj)

    def annotation(self, name: str) -> str | None:
        """An annotation of OME, by its name without the prefix; `None` if the service has none."""
        return annotation(self.obj, name)

    def components(self) -> Iterator[tuple[str, JSONObject]]:
        """Each possible component, with the service's part of it."""
        return ((name, part(self.written, name)) for name in COMPONENTS)

    @property
    def weights(self) -> tuple[str, ...]:
        """The names of its fine-tuned weights."""
        return weight_names(self.obj)

    @property
    def has_pod_autoscaler(self) -> bool:
        """Whether OME creates HorizontalPodAutoscalers for it."""
        return self.annotation("autoscalerClass") not in ("keda", "external")

    def nearest(self, own: Referent, of_cluster: Referent, name: str) -> str:
        """The most similar name in its namespace for a missing object, else in the cluster."""
        return own.nearest(self.facts, self.namespace, name, otherwise=0) or of_cluster.nearest(self.facts, "", name)

    @cached_property
    def stored(self) -> JSONObject:
        """The service as OME's webhook stores it, which moves a legacy predictor into an engine."""
        return as_stored(self.obj, self.facts)

    @cached_property
    def is_migrated(self) -> bool:
        """Whether its engine, model and runtime come from a legacy predictor."""
        return uses_predictor(self.obj)

    @cached_property
    def migrated(self) -> JSONObject:
        """The service as it is written; if it has a legacy predictor that OME's webhook moves, as it is stored."""
        return self.stored if self.is_migrated else self.obj

    @cached_property
    def spec(self) -> JSONObject:
        """The spec with an engine in place of a legacy predictor."""
        return spec_of(self.migrated)

    def has(self, component: str) -> bool:
        """Whether the service has a component; without it the runtime's configuration of the component has no effect."""
        return has_component(self.migrated, component)

    @cached_property
    def merges(self) -> Sequence[tuple[str, JSONObject, JSONObject, str]]:
        """Each component with the service's part, the runtime's part, and the name of the runtime."""
        runtime = self.runtime
        if runtime is None:
            return ()
        return [(name, part(self.spec, name), configured(runtime.spec, name), runtime.title) for name in COMPONENTS]

    @cached_property
    def is_virtual(self) -> bool:
        """Whether the controller creates nothing for it."""
        return self.annotation("deploymentMode") == _VIRTUAL

    @cached_property
    def is_serverless(self) -> bool:
        """Whether the mode of the service itself is Serverless, by its annotation or, if that isn't one of OME's modes, by the settings."""
        written = annotation(self.stored, "deploymentMode")
        return (written if written in _MODES else operator_of(self.facts).default_mode) == SERVERLESS

    @cached_property
    def demanded(self) -> tuple[str, ...]:
        """The accelerator classes that its runtime must list."""
        return demanded_classes(self.migrated)

    @cached_property
    def missing_classes(self) -> list[tuple[str, Path]]:
        """The accelerator classes that it names and the cluster lacks, each with its field. A runtime that lists them doesn't help."""
        named = [(name, path) for name, path in named_classes(self.migrated) if name]
        return [(name, path) for name, path in named if ACCELERATOR_CLASSES.is_missing(self.facts, "", name)]

    @cached_property
    def model_reference(self) -> ModelReference:
        """The result of its `spec.model`."""
        return model_reference(self.migrated, self.facts)

    @property
    def model(self) -> Model | None:
        """The model that it gets; `None` if none is known."""
        return self.model_reference.model

    @cached_property
    def unknown_runtimes(self) -> str:
        """Why not all runtimes are known; empty if they are."""
        for referent in (RUNTIMES, CLUSTER_RUNTIMES):
            if not self.facts.objects.knows_all(GROUP, referent.kind):
                return referent.unknown
        return ""

    @cached_property
    def runtimes(self) -> Sequence[Runtime]:
        """The runtimes of the namespace and of the cluster."""
        objects = self.facts.objects
        own = objects.read_where(GROUP, RUNTIMES.kind, read_runtime, namespaces, self.namespace)
        return [*own, *objects.read(GROUP, CLUSTER_RUNTIMES.kind, read_runtime)]

    @cached_property
    def named(self) -> NamedRuntime | None:
        """The runtime that it names; `None` if it names none."""
        name = runtime_name(self.migrated)
        if not name:
            return None
        held = RUNTIMES.get(self.facts, self.namespace, name) or CLUSTER_RUNTIMES.get(self.facts, "", name)
        found = read_runtime(held) if held is not None else None
        model = self.model
        candidate = RuntimeCandidate(found, fit(model, found, self.demanded)) if found is not None and model is not None else None
        awaited = awaits(model, found, self.demanded) if found is not None and model is not None else ""
        return NamedRuntime(name, found, candidate, self.unknown_runtimes if found is None else "", awaited)

    @cached_property
    def selection(self) -> RuntimeSelection | None:
        """The automatic selection; `None` if the service names its runtime, has no model, or one whose format isn't known yet."""
        model = self.model
        if self.named is not None or model is None or (model.awaits_agent and not model.format_name):
            return None
        # All models of the same shape get the same runtime, whatever their names are.
        once, key, demanded = self.facts.objects.once, (self.namespace, model.shape, self.demanded), self.demanded

        def every() -> Ranking:
            return once(_RUNTIME_KINDS, (Ranking, *key), lambda: ranking_of_all(model, self.runtimes, demanded))

        possible = once(_RUNTIME_KINDS, (RuntimeSelection, *key), lambda: ranking(model, self.alike(model), demanded))
        return RuntimeSelection(model, demanded, possible, every)

    def alike(self, model: Model) -> Iterator[Runtime]:
        """The runtimes of the namespace and of the cluster that support a format with the model's key."""
        objects = self.facts.objects
        yield from objects.read_where(GROUP, RUNTIMES.kind, read_runtime, namespaced_keys, (self.namespace, model.key))
        yield from objects.read_where(GROUP, CLUSTER_RUNTIMES.kind, read_runtime, KEYS, model.key)

    @cached_property
    def awaited(self) -> str:
        """The field of the model that OME's agent has to fill in before a runtime can be chosen; empty if one can."""
        model, selection = self.model, self.selection
        if model is None or model.is_disabled or self.named is not None:
            return self.named.awaited if self.named is not None else ""
        if selection is None:
            return "modelFormat"
        is_open = selection.chosen is None and not selection.blocking and not self.unknown_runtimes
        return selection.awaited if is_open else ""

    @cached_property
    def runtime(self) -> Runtime | None:
        """The runtime that it gets; `None` if it gets none, or if that isn't known."""
        if self.named is not None:
            return self.named.runtime if self.named.candidate is not None and self.named.candidate.outcome == FITS else None
        return self.selection.chosen if self.selection is not None else None

    @property
    def is_auto_selected(self) -> bool:
        """Whether OME selects the runtime."""
        return self.named is None

    @cached_property
    def has_full_runner(self) -> bool:
        """Whether OME's webhook requires no runtime."""
        return has_full_runner(self.migrated)

    @cached_property
    def is_selected_at_admission(self) -> bool:
        """Whether OME's webhook selects a runtime, and refuses the service if it finds none. A `spec.runtime` without a name prevents
        that.
        """
        return self.has("engine") and not isinstance(self.spec.get("runtime"), dict) and not self.has_full_runner

    @cached_property
    def classes(self) -> dict[str, ClassChoice]:
        """The accelerator class of each component that can have one."""
        runtime = self.runtime
        if runtime is None:
            return {}
        return {name: choose_class(self.migrated, name, runtime, self.facts) for name in ACCELERATED if self.has(name)}


def service_of(request: Request, facts: Facts, config: Configuration) -> Service | None:
    """The service of a request, read once; `None` without a spec, and for subresources."""
    return request.once(Service, lambda: _service(request, facts, config))


def _service(request: Request, facts: Facts, config: Configuration) -> Service | None:
    obj = named_object(request)
    return Service(obj, facts, config) if obj is not None else None
