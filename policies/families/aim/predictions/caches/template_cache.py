"""The template cache of a service of aim-engine, and the artifacts of its sources.

aim-engine creates a cache for a service as soon as its template is ready, and only then looks for others. If there is a shared cache of the
template already, the service uses that one, whatever its class and environment are, and the new cache stays unused. For each source a cache
takes the matching artifact of the namespace with the best status, and creates the missing ones.

Source: aim-engine v0.2.1, internal/aimservice/caching.go, internal/aimtemplatecache/reconcile.go, internal/aimartifact and
internal/aimservicetemplate/cache.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import DEFAULT as NO_SETTINGS
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.storage import artifact_class, artifact_name, headroom, storage_class, volume_size
from weighbridge.policies.families.aim.predictions.caches.volumes import (
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
from weighbridge.policies.families.aim.predictions.environment import merge_environment
from weighbridge.policies.families.aim.predictions.go_form import variables_in_go
from weighbridge.policies.families.aim.predictions.labels import label_value, labels_of_child
from weighbridge.policies.families.aim.predictions.names import dns_label, hashed, joined
from weighbridge.policies.families.aim.predictions.workload import Work, sources_of, sources_of_template
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.field_errors import invalid_message
from weighbridge.policies.ground.fields import amount, flag, items, part, text
from weighbridge.policies.ground.objects import JSONObject, lookup, metadata_of, name_of, namespace_of
from weighbridge.policies.pods.validation.template import label_errors

_BASE: Final = "/workspace/cache"
#: The statuses, the worst first; one that isn't listed is as bad as the first.
_ORDER: Final = ("Failed", "NotAvailable", "Degraded", "Pending", "Starting", "Progressing", "Ready", "Running")
_RANKS: Final = {status: rank for rank, status in enumerate(_ORDER)}
_BAD: Final = ("Failed", "NotAvailable", "Degraded")
#: A placeholder for the digest of a uid, which an object gets when it is stored.
_DIGEST: Final = "x"


def is_dedicated(spec: JSONObject) -> bool:
    """Whether a service has dedicated caches; `Never` is the old word for that."""
    return text(part(spec, "caching"), "mode") in ("Dedicated", "Never")


def cached_weights(work: Work) -> ServedWeights:
    """The weights of a service."""
    if not sources_of(work):
        kind = f"{text(work.template, 'kind')} {name_of(work.template)}"
        return ServedWeights(failure=f"{kind} names no model sources: the operator creates no cache and no pod", lacks_sources=True)
    own, there = new_cache(work), cache_there(work)
    weights = _held(own, work)
    held = work.facts.objects.get(work.dialect.group, "AIMTemplateCache", namespace_of(own), name_of(own))
    if not isinstance(held, dict) or any(spec_of(held).get(key) != value for key, value in spec_of(own).items()):
        weights.objects.insert(0, own)
    if there is None:
        return weights
    used = _held(there, work)
    # The objects of a cache that existed before aren't created for this service.
    used.objects = weights.objects
    return used


def _held(cache: JSONObject, work: Work) -> ServedWeights:
    """The objects that a cache creates, and the mounts of its claims."""
    template = _template_of(cache, work)
    if template is None:
        missing = f"AIMTemplateCache {name_of(cache)} is Failed: it names a template of the {_scope_of(cache).lower()} that doesn't exist"
        return ServedWeights(failure=missing, condition="CacheReady", reason="CacheFailed", state="Failed")
    weights = ServedWeights()
    used: dict[str, JSONObject] = {}
    made = 0
    for source in sources_of_template(template, work.dialect):
        found = _fitting(source, cache, work)
        if found is not None:
            _look_after(found, weights)
        else:
            found = _make(source, made, cache, work, weights)
            made += 1
        used[text(source, "modelId")] = found
    # Of several models with the same artifact, one is mounted.
    weights.mounts = [*{name_of(artifact): _mount(model, artifact) for model, artifact in used.items()}.values()]
    return weights


def artifacts_of(
    cache: JSONObject, template: JSONObject, config: JSONObject, dialect: Dialect, facts: Facts
) -> tuple[list[JSONObject], bool]:
    """The objects that a cache creates for a template, and whether an artifact that it uses has failed."""
    weights = _held(cache, Work(cache, dialect, {}, template, config, "", facts))
    return weights.objects, weights.state == "Failed"


def cache_there(work: Work) -> JSONObject | None:
    """The existing cache that a service finds: a shared one of its template, or the one that its template creates for itself."""
    if is_dedicated(work.spec):
        return None
    namespace, name = namespace_of(work.service), name_of(work.template)
    own = joined(name, suffix=hashed(namespace))
    caches = work.facts.objects.where(work.dialect.group, "AIMTemplateCache", _cached_template, (namespace, name))

    def is_shared(cache: JSONObject) -> bool:
        return text(spec_of(cache), "mode", "Shared") == "Shared" and name_of(cache) != own

    found = best((one for one in caches if is_shared(one) and _RANKS.get(status_of(one), 0)), _RANKS)
    if found is None and namespace_of(work.template) and flag(part(work.template_spec, "caching"), "enabled"):
        return cache_of_template(work.template, _config_named(text(work.template_spec, "runtimeConfigName"), work), work.dialect)
    return found


def _cached_template(cache: JSONObject) -> tuple[str, str]:
    return namespace_of(cache), text(spec_of(cache), "templateName")


def cache_of_derived(template: JSONObject, work: Work) -> JSONObject:
    """The cache of the template that is derived for a service."""
    return cache_of_template(template, _config_named(text(spec_of(template), "runtimeConfigName"), work), work.dialect)


def cache_of_template(template: JSONObject, config: JSONObject, dialect: Dialect) -> JSONObject:
    """The cache that a template creates for itself, with the template's name."""
    group = dialect.group
    spec: JSONObject = {"templateName": name_of(template), "templateScope": "Namespace", "mode": "Shared"}
    if env := items(spec_of(template), "caching", "env"):
        spec["env"] = variables_in_go(env)
    if name := text(spec_of(template), "runtimeConfigName"):
        spec["runtimeConfigName"] = name
    added = {f"{group}/service-template.name": name_of(template), "app.kubernetes.io/managed-by": "aim-service-template-controller"}
    labels = labels_of_child(template, config, dialect, {}, added)
    return _made("AIMTemplateCache", name_of(template), namespace_of(template), group, spec, labels)


def new_cache(work: Work) -> JSONObject:
    """The cache that is created for a service; the name of a dedicated one has a digest of the service's uid."""
    template, namespace = name_of(work.template), namespace_of(work.service)
    spec: JSONObject = {
        "templateName": template,
        "templateScope": "Namespace" if namespace_of(work.template) else "Cluster",
        "mode": "Dedicated" if is_dedicated(work.spec) else "Shared",
    }
    env: list[JSONObject] = []
    for layer in (items(work.template_spec, "env"), items(work.template_spec, "caching", "env"), items(work.spec, "env")):
        env = merge_environment(env, layer, merges_arguments=False)
    given = {
        "storageClassName": artifact_class(work.spec, work.config),
        "runtimeConfigName": text(work.spec, "runtimeConfigName"),
        "env": variables_in_go(env),
    }
    spec |= {key: value for key, value in given.items() if value}
    name = joined(template, suffix=hashed(namespace))
    if is_dedicated(work.spec):
        uid = text(metadata_of(work.service), "uid")
        name = joined(template, name_of(work.service), suffix=hashed(uid) if uid else _DIGEST * 8)
    group, of_service = work.dialect.group, name_of(work.service)
    added = {f"{group}/service.name": of_service, "app.kubernetes.io/managed-by": "aim-service-controller"}
    labels = labels_of_child(work.service, work.config, work.dialect, {f"{group}/service": label_value(of_service)}, added)
    return _made("AIMTemplateCache", name, namespace, group, spec, labels)


def _made(kind: str, name: str, namespace: str, group: str, spec: JSONObject, labels: dict[str, str] | None = None) -> JSONObject:
    metadata: JSONObject = {"name": name, "namespace": namespace}
    if labels:
        metadata["labels"] = labels
    return {"apiVersion": f"{group}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def _scope_of(cache: JSONObject) -> str:
    return text(spec_of(cache), "templateScope")


def _template_of(cache: JSONObject, work: Work) -> JSONObject | None:
    """The template whose sources a cache holds, in the scope that the cache names; `None` if it doesn't exist."""
    scope, is_namespaced = _scope_of(cache), bool(namespace_of(work.template))
    if scope == ("Namespace" if is_namespaced else "Cluster"):
        return work.template
    kinds = {"Namespace": ("AIMServiceTemplate",), "Cluster": ("AIMClusterServiceTemplate",)}
    for kind in kinds.get(scope, ("AIMServiceTemplate", "AIMClusterServiceTemplate")):
        namespace = "" if kind.startswith("AIMCluster") else namespace_of(work.service)
        found = work.facts.objects.get(work.dialect.group, kind, namespace, name_of(work.template))
        if isinstance(found, dict):
            return found
    return None


def _fitting(source: JSONObject, cache: JSONObject, work: Work) -> JSONObject | None:
    """The artifact of the namespace with the best status that a cache may use for a source."""
    spec = spec_of(cache)
    uid, wanted = text(metadata_of(cache), "uid"), text(spec, "storageClassName")
    is_own = text(spec, "mode") == "Dedicated"

    def fits(artifact: JSONObject) -> bool:
        owners = items(metadata_of(artifact), "ownerReferences")
        is_usable = any(text(owner, "uid") == uid for owner in owners) if is_own else not owners
        return bool(status_of(artifact)) and is_usable and wanted in ("", text(spec_of(artifact), "storageClassName"))

    place = namespace_of(work.service), text(source, "sourceUri")
    held = work.facts.objects.where(work.dialect.group, "AIMArtifact", cached_source, place)
    return best(filter(fits, held), _RANKS)


def _look_after(artifact: JSONObject, weights: ServedWeights) -> None:
    """Record the problem of an artifact, at which the service stops."""
    status = status_of(artifact)
    if status in _BAD and not weights.failure:
        reason, state = ("CacheFailed", "Failed") if status == "Failed" else ("CacheCreating", "Starting")
        weights.failure = f"AIMArtifact {name_of(artifact)} is {status}, and the service waits for its weights"
        weights.condition, weights.reason, weights.state = "CacheReady", reason, state


def _make(source: JSONObject, index: int, cache: JSONObject, work: Work, weights: ServedWeights) -> JSONObject:
    """Add the artifact of a source to the created objects, and its claim if the size is known."""
    config = _config_of(cache, work)
    made = _new_artifact(source, index, cache, work, config)
    weights.objects.append(made)
    size = amount(source.get("size"))
    if size is not None and size.sign() < 0 and not weights.failure:
        kind = f"{text(work.template, 'kind')} {name_of(work.template)}"
        weights.failure = (
            f"{kind} says that {text(source, 'sourceUri')} has the size {size}: a claim of it is refused, and the weights never come"
        )
        weights.condition, weights.reason = "CacheReady", "CacheNotReady"
    if allocated := text(part(made, "status"), "allocatedSize"):
        own_class = text(spec_of(made), "storageClassName") or storage_class(work.dialect, {}, config)
        claim = claim_of(claim_name(made), namespace_of(made), allocated, own_class)
        errors = [*label_errors(made["metadata"]["labels"], "metadata.labels")]
        refusal = invalid_message("AIMArtifact", work.dialect.group, name_of(made), errors) if errors else refusal_of(claim)
        if not refusal:
            weights.objects.append(claim)
        elif not weights.failure:
            weights.failure = f"the weights never come: {refusal}"
            weights.condition, weights.reason = "CacheReady", "CacheNotReady"
        if errors:
            weights.objects.remove(made)
    return made


def _config_of(cache: JSONObject, work: Work) -> JSONObject:
    """The runtime configs of a cache, which apply to its artifacts as well."""
    name = text(spec_of(cache), "runtimeConfigName")
    if name == text(work.spec, "runtimeConfigName"):
        return work.config
    return _config_named(name, work)


def _config_named(name: str, work: Work) -> JSONObject:
    return runtime_config(work.dialect, name, namespace_of(work.service), work.facts, NO_SETTINGS).spec


def _new_artifact(source: JSONObject, index: int, cache: JSONObject, work: Work, config: JSONObject) -> JSONObject:
    spec = spec_of(cache)
    uri, chosen = text(source, "sourceUri"), text(spec, "storageClassName")
    env = variables_in_go(merge_environment(items(spec, "env"), items(source, "env"), merges_arguments=False))
    made: JSONObject = {key: source[key] for key in ("modelId", "sourceUri") if source.get(key)}
    # Go writes 0 for a missing size.
    made["size"] = source.get("size") or "0"
    given = {"env": env, "storageClassName": chosen, "runtimeConfigName": text(spec, "runtimeConfigName")}
    made |= {key: value for key, value in given.items() if value}
    name = artifact_name(uri, env, chosen)
    # The name of an artifact that isn't shared also has a digest of the uid.
    if text(spec, "mode") == "Dedicated":
        name = f"{name.rpartition('-')[0]}-{_DIGEST * 10}"
    group = work.dialect.group
    own = {
        "template-created": "true",
        f"{group}/template.name": text(spec, "templateName"),
        f"{group}/template.scope": text(spec, "templateScope"),
        f"{group}/template.index": str(index),
        f"{group}/template-cache.name": label_value(name_of(cache)),
    }
    labels = labels_of_child(cache, config, work.dialect, own, {"app.kubernetes.io/managed-by": "aim-template-cache-controller"})
    artifact = _made("AIMArtifact", name, namespace_of(work.service), group, made, labels)
    read = amount(source.get("size"))
    if read is not None and read.sign() > 0:
        percent = headroom(work.dialect, {}, config)
        artifact["status"] = {"allocatedSize": volume_size(read, percent), "headroomPercent": percent}
    return artifact


def claim_name(artifact: JSONObject) -> str:
    """The claim of an artifact: a digest of its uid is in the name."""
    uid = text(metadata_of(artifact), "uid")
    return joined(name_of(artifact), "cache", suffix=hashed(uid) if uid else _DIGEST * 8)


def _mount(model: str, artifact: JSONObject) -> Mount:
    claim = lookup(artifact, ("status", "persistentVolumeClaim"))
    volume = dns_label(name_of(artifact))
    named = model.replace("..", "")
    return mounted(
        _BASE, volume, claim if isinstance(claim, str) and claim else claim_name(artifact), named if named not in ("", ".") else volume
    )
