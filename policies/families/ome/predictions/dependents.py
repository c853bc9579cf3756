"""Which services depend on a model, a runtime or an accelerator class, and which benchmarks on a service, as keys of the store.

A service depends on the model and the runtime that it names. Without a runtime it depends on all that support its model, and with a policy
on the classes that its runtime lists. For both, the known models lead from the runtime to the services.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from operator import attrgetter
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome import benchmark_settings, operator
from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS, CLUSTER_RUNTIMES, FINE_TUNED_WEIGHTS, GROUP, RUNTIMES
from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.ome.subject.predictors import predictor_of
from weighbridge.policies.families.ome.subject.runtime import read_runtime
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED, demanded_classes, model_name, runtime_name, weight_names
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

_CLASSES: Final = attrgetter("classes")
#: The key of a service without a named runtime, which then follows from its model, or without a named class, which follows from a policy.
_SELECTED: Final = "selected for a model"
#: The key of all objects that depend on the settings of OME's manager.
_SETTINGS: Final = "settings"
_CONFIG_MAP: Final = "ConfigMap"
#: The key of the models that OME's agent hasn't described yet: any runtime may support one of them later.
_AWAITING: Final = "awaiting the agent"


def service_goes_by(service: JSONObject) -> Iterator[Hashable]:
    """The keys of an InferenceService: the objects that it names, in its namespace and in the cluster."""
    predictor = predictor_of(service)
    models = {model_name(service), text(part(predictor, "model"), "baseModel"), text(predictor, "baseModel")}
    runtimes = {runtime_name(service), text(part(predictor, "model"), "runtime"), text(predictor, "runtime")} - {""}
    has_policy = _has_policy(service)
    for namespace in (namespace_of(service), ""):
        for model in models:
            yield "model", namespace, model
            if not runtimes:
                yield _SELECTED, namespace, model, False
                yield _SELECTED, namespace, model, has_policy
        for runtime in runtimes:
            yield "runtime", namespace, runtime, False
            yield "runtime", namespace, runtime, has_policy
    for name in demanded_classes(service):
        yield "class", name
    for name in weight_names(service):
        yield "weight", name
    yield _SETTINGS


def _has_policy(service: JSONObject) -> bool:
    spec = spec_of(service)
    places = (part(spec, "acceleratorSelector"), *(part(spec, component, "acceleratorOverride") for component in ACCELERATED))
    return any(text(place, "policy") for place in places)


def benchmark_goes_by(job: JSONObject) -> Iterator[Hashable]:
    """The keys of a BenchmarkJob: the service that it measures, in any namespace."""
    reference = part(spec_of(job), "endpoint", "inferenceService")
    yield "service", text(reference, "namespace"), text(reference, "name")
    output = read_uri(text(part(spec_of(job), "outputLocation"), "storageUri"))
    if output.is_of("pvc"):
        yield "claim", namespace_of(job), output.parts["claim"]
    yield _SETTINGS


def benchmark_keys(obj: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the benchmarks that depend on an object: the model of their service, a claim, or the settings of benchmarks."""
    kind, namespace, name = obj.get("kind"), namespace_of(obj), name_of(obj)
    if kind == CLAIMS.kind:
        yield "claim", namespace, name
    elif kind == _CONFIG_MAP:
        if (namespace, name) == (benchmark_settings.NAMESPACE, benchmark_settings.CONFIG):
            yield _SETTINGS
    else:
        for service in facts.objects.read_where(GROUP, "InferenceService", itself, service_goes_by, ("model", namespace, name)):
            yield "service", namespace_of(service), name_of(service)


def keys(obj: JSONObject, facts: Facts) -> Iterator[Hashable]:
    """The keys of the services that depend on an object."""
    kind, namespace, name = obj.get("kind"), namespace_of(obj), name_of(obj)
    if kind == "InferenceService":
        yield "service", namespace, name
    elif kind == FINE_TUNED_WEIGHTS.kind:
        yield "weight", name
        yield "model", "", name
    elif kind == _CONFIG_MAP:
        if (namespace, name) == (operator.NAMESPACE, operator.CONFIG):
            yield _SETTINGS
    elif kind in {BASE_MODELS.kind, CLUSTER_BASE_MODELS.kind}:
        yield "model", namespace, name
        # OME describes the base model of a fine-tuned weight.
        for weight in facts.objects.read_where(GROUP, FINE_TUNED_WEIGHTS.kind, itself, _base, (namespace, name)):
            yield "model", "", name_of(weight)
    elif kind in {RUNTIMES.kind, CLUSTER_RUNTIMES.kind}:
        yield from _of_runtime(obj, facts, by_policy=False)
    else:
        yield "class", name
        for runtimes in (RUNTIMES, CLUSTER_RUNTIMES):
            for runtime in facts.objects.read_where(GROUP, runtimes.kind, read_runtime, _CLASSES, name):
                yield from _of_runtime(runtime.obj, facts, by_policy=True)


def _base(weight: JSONObject) -> Iterable[Hashable]:
    base = part(spec_of(weight), "baseModelRef")
    return ((text(base, "namespace"), text(base, "name")),)


def _of_runtime(obj: JSONObject, facts: Facts, *, by_policy: bool) -> Iterator[Hashable]:
    """The keys of the services of a runtime: those that name it, and those with a model that it supports."""
    namespace = namespace_of(obj)
    yield "runtime", namespace, name_of(obj), by_policy
    for key in (*read_runtime(obj).keys, _AWAITING):
        for models in (BASE_MODELS, CLUSTER_BASE_MODELS):
            for model in facts.objects.read_where(GROUP, models.kind, read_model, _keys_of_model, key):
                # A runtime of a namespace is for the services of that namespace, and so is a model of a namespace.
                if namespace in {"", model.namespace} or not model.namespace:
                    yield _SELECTED, namespace or model.namespace, model.name, by_policy


def _keys_of_model(model: Model) -> Iterable[Hashable]:
    return (model.key, _AWAITING) if model.awaits_agent else (model.key,)
