"""The AIM family: the kinds of both of its groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.facts.kept_parts import only_read
from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.family import Family, Fill, Influence, Kind
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.request import Request


def _kind(group: str, kind: str, plural: str, *, namespaced: bool = True) -> Kind:
    return Kind(GroupVersionKind(group, "v1alpha1", kind), plural, namespaced=namespaced)


def _shared(group: str) -> tuple[Kind, ...]:
    """The kinds that both groups have."""
    return (
        _kind(group, "AIMService", "aimservices"),
        _kind(group, "AIMModel", "aimmodels"),
        _kind(group, "AIMClusterModel", "aimclustermodels", namespaced=False),
        _kind(group, "AIMClusterModelSource", "aimclustermodelsources", namespaced=False),
        _kind(group, "AIMServiceTemplate", "aimservicetemplates"),
        _kind(group, "AIMClusterServiceTemplate", "aimclusterservicetemplates", namespaced=False),
        _kind(group, "AIMRuntimeConfig", "aimruntimeconfigs"),
        _kind(group, "AIMClusterRuntimeConfig", "aimclusterruntimeconfigs", namespaced=False),
        _kind(group, "AIMTemplateCache", "aimtemplatecaches"),
    )


def _fill_template(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.aim.fill.gpu_resource import fill

    fill(mutation, request, facts, config)


def _fill_cache(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.aim.fill.template_scope import fill

    fill(mutation, request, facts, config)


def _fill_download(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.aim.fill.download_image import fill

    fill(mutation, request, facts, config)


def _predict_service(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    # The module is imported when the first service comes, so that linting a config doesn't wait for what services need.
    from weighbridge.policies.families.aim.predictions.service import predict

    return predict(request, facts, config)


def _predict_template(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.aim.predictions.objects.template_object import predict

    return predict(request, facts, config)


def _predict_model(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.aim.predictions.objects.model_object import predict

    return predict(request, facts, config)


def _predict_source(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.aim.predictions.objects.source_object import predict

    return predict(request, facts, config)


def _predict_caches(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.aim.predictions.objects.cache_objects import predict

    return predict(request, facts, config)


def _predict_config(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.aim.predictions.runtime_config import predict

    return predict(request, facts, config)


def _service_goes_by(service: JSONObject) -> Iterable[Hashable]:
    from weighbridge.policies.families.aim.predictions.dependents import service_goes_by

    return service_goes_by(service)


def _goes_by_names(obj: JSONObject) -> Iterable[Hashable]:
    from weighbridge.policies.families.aim.predictions.dependents import goes_by_names

    return goes_by_names(obj)


def _names(obj: JSONObject, facts: Facts) -> Iterable[Hashable]:
    from weighbridge.policies.families.aim.predictions.dependents import names

    return names(obj, facts)


def _keys(obj: JSONObject, facts: Facts) -> Iterable[Hashable]:
    from weighbridge.policies.families.aim.predictions.dependents import keys

    return keys(obj, facts)


_MODELS: Final = ("AIMModel", "AIMClusterModel")
_TEMPLATES: Final = ("AIMServiceTemplate", "AIMClusterServiceTemplate")
_CACHES: Final = ("AIMTemplateCache", "AIMArtifact", "AIMModelCache")
_ON_SERVICES: Final = Influence("AIMService", _service_goes_by, _keys)


def _on(kind: str) -> Influence:
    """The influence on a model, a template or a cache of an object that it refers to. Without that object the operator waits, and nothing
    that runs breaks.
    """
    return Influence(kind, _goes_by_names, _names, can_break=False)


FAMILY: Final = Family(
    name="aim",
    title="AIM",
    # The new group first: examples of rules are of the first kind that has the name.
    kinds=(
        *_shared(NEW),
        _kind(NEW, "AIMArtifact", "aimartifacts"),
        *_shared(OLD),
        _kind(OLD, "AIMModelCache", "aimmodelcaches"),
        _kind(OLD, "AIMKVCache", "aimkvcaches"),
    ),
    fill={
        "AIMServiceTemplate": _fill_template,
        "AIMClusterServiceTemplate": _fill_template,
        "AIMTemplateCache": _fill_cache,
        "AIMArtifact": _fill_download,
        "AIMModelCache": _fill_download,
    },
    fills=tuple(
        Fill(kind, field, f"weighbridge.policies.families.aim.fill.{module}")
        for kind, field, module in (
            ("AIMServiceTemplate", "spec.hardware.gpu.resourceName", "gpu_resource"),
            ("AIMServiceTemplate", "spec.gpuSelector.resourceName", "gpu_resource"),
            ("AIMClusterServiceTemplate", "spec.hardware.gpu.resourceName", "gpu_resource"),
            ("AIMClusterServiceTemplate", "spec.gpuSelector.resourceName", "gpu_resource"),
            ("AIMTemplateCache", "spec.templateScope", "template_scope"),
            ("AIMArtifact", "spec.modelDownloadImage", "download_image"),
            ("AIMModelCache", "spec.modelDownloadImage", "download_image"),
        )
    ),
    package="weighbridge.policies.families.aim",
    upstreams=(
        Upstream("aim-engine", "aim-engine", (NEW,), "v0.2.1", "amd-enterprise-ai/aim-engine"),
        Upstream("kaiwo", "kaiwo", (OLD,), "dbca1b55", "silogen/kaiwo", date="2025-12-12"),
    ),
    # Its operator is gone, so no kind will be added.
    complete_groups=(OLD,),
    looks_up=(Kind(GroupVersionKind("gateway.networking.k8s.io", "v1", "Gateway"), "gateways", transform=only_read()),),
    # The add-on that scales a service by its metrics.
    add_ons=("keda.sh",),
    influences={
        "AIMRuntimeConfig": (_ON_SERVICES, *map(_on, (*_TEMPLATES, "AIMModel", *_CACHES))),
        "AIMClusterRuntimeConfig": (_ON_SERVICES, *map(_on, (*_TEMPLATES, *_MODELS, *_CACHES))),
        "AIMModel": (_ON_SERVICES, _on("AIMServiceTemplate")),
        "AIMClusterModel": (_ON_SERVICES, *map(_on, _TEMPLATES)),
        **dict.fromkeys(_TEMPLATES, (_ON_SERVICES, _on("AIMTemplateCache"))),
        **dict.fromkeys((*_CACHES, "AIMKVCache"), (_ON_SERVICES,)),
    },
    predict={
        "AIMService": _predict_service,
        "AIMModel": _predict_model,
        "AIMClusterModel": _predict_model,
        "AIMClusterModelSource": _predict_source,
        "AIMServiceTemplate": _predict_template,
        "AIMClusterServiceTemplate": _predict_template,
        "AIMArtifact": _predict_caches,
        "AIMTemplateCache": _predict_caches,
        "AIMModelCache": _predict_caches,
        "AIMKVCache": _predict_caches,
        "AIMRuntimeConfig": _predict_config,
    },
    needed=Needed(
        fields=frozenset({"averageValue", "lmCacheConfig", "match", "pathTemplate", "registry"}),
        values=frozenset({"AIM_CACHE_PATH", "AIM_ENGINE_ARGS"}),
        annotations=frozenset({f"{NEW}/reconciliation-paused"}),
        # The runtime config that applies if none is named.
        names=frozenset({"default"}),
    ),
)
