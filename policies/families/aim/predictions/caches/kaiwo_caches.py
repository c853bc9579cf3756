"""Where kaiwo puts the weights of a service: into the model caches of a template cache, or into the service's own claim.

An existing template cache is used, whatever `cacheModel` of the service is. Without one kaiwo creates a cache for the service if
`cacheModel` is set, else a claim. The headroom of a model cache comes only from the runtime configs.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go, aimtemplatecache_controller.go, aimmodelcache_controller.go and
aimservicetemplate_controller.go (buildTemplateCache).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import DEFAULT as NO_SETTINGS
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.storage import headroom, storage_class, volume_size
from weighbridge.policies.families.aim.predictions.caches.volumes import (
    CLAIM,
    Mount,
    ServedWeights,
    best,
    cached_source,
    claim_of,
    mounted,
    refusal_of,
    status_of,
)
from weighbridge.policies.families.aim.predictions.configuration import runtime_config
from weighbridge.policies.families.aim.predictions.labels import kaiwo_label, propagated
from weighbridge.policies.families.aim.predictions.names import kaiwo_dns_name
from weighbridge.policies.families.aim.predictions.workload import Work, sources_of
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import amount, flag, items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.ground.quantity import Quantity

_BASE: Final = "/workspace/model-cache"
#: The statuses of a model cache, the worst first.
_RANKS: Final = {"Failed": 0, "Pending": 1, "Progressing": 2, "Available": 3}
_SERVES_NOT: Final = "no InferenceService is made"


def kaiwo_weights(work: Work) -> ServedWeights:
    """The weights of a service of kaiwo."""
    if not sources_of(work):
        failure = f'Template "{name_of(work.template)}" is Available but discovery produced no usable model sources'
        return ServedWeights(failure=failure, condition="Failure", reason="NoModelSources", state="Degraded", lacks_sources=True)
    cache = _cache_there(work)
    if cache is not None:
        weights = _cached(cache, work)
        # The objects of a cache that existed before aren't created for this service.
        weights.objects = []
        return weights
    if flag(work.spec, "cacheModel"):
        made = _new_cache(work)
        weights = _cached(made, work)
        weights.objects.insert(0, made)
        return weights
    return _own_claim(work)


def _cache_there(work: Work) -> JSONObject | None:
    """The first cache of the template, or the one that the template creates for itself."""
    namespace, name = namespace_of(work.service), name_of(work.template)
    found = next(iter(work.facts.objects.where(work.dialect.group, "AIMTemplateCache", _cached_template, (namespace, name))), None)
    if found is None and namespace_of(work.template) and flag(part(work.template_spec, "caching"), "enabled"):
        return cache_of_template(work.template, _config(text(work.template_spec, "runtimeConfigName"), work), work.dialect)
    return found


def cache_of_template(template: JSONObject, config: JSONObject, dialect: Dialect) -> JSONObject:
    """The cache that a template creates for itself, with the template's name."""
    name, env = name_of(template), items(spec_of(template), "caching", "env")
    spec = {"templateRef": name, "storageClassName": storage_class(dialect, {}, config), "env": env}
    return _made("AIMTemplateCache", name, template, dialect, spec, propagated(template, config, dialect))


def caches_of(cache: JSONObject, template: JSONObject, dialect: Dialect, facts: Facts) -> tuple[list[JSONObject], str]:
    """The objects that a template cache creates for a template, and its status: the worst status of its model caches."""
    work = Work(cache, dialect, {}, template, _config_there(cache, dialect, facts), "", facts)
    weights = _cached(cache, work)
    states = [status_of(found) for source in sources_of(work) if (found := _fitting(source, cache, work)) is not None]
    states += ["Progressing" for made in weights.objects if made["kind"] == "AIMModelCache"]
    failed = bool(weights.failure)
    return weights.objects, "Failed" if failed else min(states, key=lambda state: _RANKS.get(state, 0), default="Pending")


def claim_of_cache(cache: JSONObject, dialect: Dialect, facts: Facts) -> tuple[JSONObject | None, str]:
    """The claim of a model cache, or why the server refuses it."""
    weights = ServedWeights()
    made = _claim_of_cache(cache, Work(cache, dialect, {}, {}, _config_there(cache, dialect, facts), "", facts), weights)
    return (made[0], "") if made else (None, f"a claim of the size {spec_of(cache).get('size')} is refused")


def _config_there(cache: JSONObject, dialect: Dialect, facts: Facts) -> JSONObject:
    return runtime_config(dialect, text(spec_of(cache), "runtimeConfigName"), namespace_of(cache), facts, NO_SETTINGS).spec


def _new_cache(work: Work) -> JSONObject:
    spec = {
        "templateRef": name_of(work.template),
        "storageClassName": storage_class(work.dialect, work.spec, work.config),
        "env": items(work.spec, "env"),
        "runtimeConfigName": text(work.spec, "runtimeConfigName"),
    }
    own = {f"{work.dialect.group}/service-name": kaiwo_label(name_of(work.service))}
    labels = propagated(work.service, work.config, work.dialect) | own
    return _made("AIMTemplateCache", name_of(work.template), work.service, work.dialect, spec, labels)


def _made(kind: str, name: str, beside: JSONObject, dialect: Dialect, spec: JSONObject, labels: dict[str, str]) -> JSONObject:
    metadata: JSONObject = {"name": name, "namespace": namespace_of(beside)} | ({"labels": labels} if labels else {})
    kept = {key: value for key, value in spec.items() if value}
    return {"apiVersion": f"{dialect.group}/v1alpha1", "kind": kind, "metadata": metadata, "spec": kept}


def _config(name: str, work: Work) -> JSONObject:
    if name == text(work.spec, "runtimeConfigName"):
        return work.config
    return runtime_config(work.dialect, name, namespace_of(work.service), work.facts, NO_SETTINGS).spec


def _cached(cache: JSONObject, work: Work) -> ServedWeights:
    """The model caches of a template cache; those that don't exist are created."""
    weights = ServedWeights()
    if status_of(cache) == "Failed":
        _fails(weights, f"AIMTemplateCache {name_of(cache)} is Failed")
    mounts = []
    for source in sources_of(work):
        found = _fitting(source, cache, work)
        if found is not None and status_of(found) == "Failed":
            _fails(weights, f"AIMModelCache {name_of(found)} is Failed")
        if found is None:
            found = _new_model_cache(source, cache, work)
            weights.objects += [found, *_claim_of_cache(found, work, weights)]
        mounts.append(_mount(found, text(source, "name")))
    weights.mounts = mounts
    return weights


def _fails(weights: ServedWeights, failure: str) -> None:
    if not weights.failure:
        weights.failure = f"{failure}: {_SERVES_NOT}"
        weights.condition, weights.reason, weights.state = "CacheReady", "CacheWarm", "Failed"


def _cached_template(cache: JSONObject) -> tuple[str, str]:
    return namespace_of(cache), text(spec_of(cache), "templateRef")


def _fitting(source: JSONObject, cache: JSONObject, work: Work) -> JSONObject | None:
    """The model cache of the namespace with the best status for a source; the last of several."""
    wanted = text(spec_of(cache), "storageClassName")

    def fits(model: JSONObject) -> bool:
        return bool(status_of(model)) and wanted in ("", text(spec_of(model), "storageClassName"))

    place = namespace_of(work.service), text(source, "sourceUri")
    held = work.facts.objects.where(work.dialect.group, "AIMModelCache", cached_source, place)
    return best(filter(fits, held), _RANKS, last=True)


def _new_model_cache(source: JSONObject, cache: JSONObject, work: Work) -> JSONObject:
    given = spec_of(cache)
    spec = {
        "sourceUri": text(source, "sourceUri"),
        "size": source.get("size"),
        "storageClassName": text(given, "storageClassName"),
        "env": items(given, "env"),
        "runtimeConfigName": text(given, "runtimeConfigName"),
    }
    group, name = work.dialect.group, text(source, "name")
    own = {"template-created": "true", f"{group}/template-cache": name_of(cache), f"{group}/source-model": kaiwo_label(name)}
    labels = propagated(cache, _config(text(given, "runtimeConfigName"), work), work.dialect) | own
    return _made("AIMModelCache", kaiwo_dns_name(name.replace(".", "-")), work.service, work.dialect, spec, labels)


def _claim_of_cache(model: JSONObject, work: Work, weights: ServedWeights) -> list[JSONObject]:
    spec = spec_of(model)
    config = _config(text(spec, "runtimeConfigName"), work)
    size = _size(spec.get("size"), headroom(work.dialect, {}, config))
    if not size:
        _fails(weights, f"a claim can't have the size {spec.get('size')} of {text(spec, 'sourceUri')}")
        return []
    chosen = text(spec, "storageClassName") or storage_class(work.dialect, {}, config)
    group, source = work.dialect.group, text(spec, "sourceUri")
    own = {"app.kubernetes.io/managed-by": "modelcache-controller", f"{group}/modelcache": name_of(model)}
    if text_map(model, "metadata", "labels").get("template-created") == "true":
        own[f"{group}/cache-type"] = "template-cache"
    if asked := source.partition("://")[2] or source:
        own[f"{group}/source-model"] = kaiwo_label(asked)
    claim = claim_of(_claim_name(model), namespace_of(model), size, chosen, propagated(model, config, work.dialect) | own)
    if refusal := refusal_of(claim):
        _fails(weights, refusal)
        return []
    return [claim]


def _claim_name(model: JSONObject) -> str:
    return text(part(model, "status"), "persistentVolumeClaim") or kaiwo_dns_name(f"{name_of(model)}-cache")


def _size(weights: JSONValue, percent: int) -> str:
    read = amount(weights)
    return volume_size(read, percent) if read is not None and read.sign() > 0 else ""


def _mount(model: JSONObject, name: str) -> Mount:
    return mounted(_BASE, kaiwo_dns_name(name_of(model)).replace(".", "-"), _claim_name(model), name)


def _own_claim(work: Work) -> ServedWeights:
    """The claim of a service that has no cache; it gets none if a source has no size, or the size 0."""
    sizes = [amount(source.get("size")) for source in sources_of(work)]
    known = [size for size in sizes if size is not None and not size.is_zero()]
    total = Quantity.from_int(sum(size.value() for size in known))
    if len(known) < len(sizes):
        return ServedWeights(failure=f"a source has no size, so the service gets no volume: {_SERVES_NOT}")
    size = _size(str(total), headroom(work.dialect, work.spec, work.config))
    if not size:
        failure = f"the API server refuses a claim of the size {total}: {_SERVES_NOT}"
        return ServedWeights(failure=failure, condition="RuntimeReady", reason="RuntimeFailed", state="Failed")
    chosen = storage_class(work.dialect, work.spec, work.config)
    labels = propagated(work.service, work.config, work.dialect) | _claim_labels(work)
    claim = claim_of(f"{work.name}-temp-cache", namespace_of(work.service), size, chosen, labels)
    if refusal := refusal_of(claim):
        failure = f"Apply failed: failed to apply {CLAIM} {name_of(claim)}: {refusal}"
        return ServedWeights(failure=failure, condition="RuntimeReady", reason="RuntimeFailed", state="Failed")
    return ServedWeights([claim], [Mount("model-storage", name_of(claim), _BASE)])


def _claim_labels(work: Work) -> dict[str, str]:
    given = {
        "service-name": kaiwo_label(name_of(work.service)),
        "cache-type": "temporary-service-cache",
        "template": name_of(work.template),
        "model-id": kaiwo_label(text(work.template_spec, "modelName")),
    }
    standard = {"app.kubernetes.io/managed-by": "aim-service-controller", "app.kubernetes.io/component": "model-storage"}
    return standard | {f"{work.dialect.group}/{key}": value for key, value in given.items()}
