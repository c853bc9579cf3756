"""kaiwo's cache of keys and values: Redis with a volume, created for the first service that asks for it, and the engine's settings for it.

An existing cache of that name is used as it is. The service waits until Redis runs, then gets a ConfigMap for LMCache.

Source: kaiwo dbca1b55, internal/controller/aim/aimkvcache_controller.go and aimservice_controller.go (observeKVCache, planKVCache,
buildMergedEnvVars, addLMCacheConfigMount).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect
from weighbridge.policies.families.aim.predictions.caches.volumes import status_of
from weighbridge.policies.families.aim.predictions.names import hashed, joined
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import amount, items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.validation.service import service_errors
from weighbridge.policies.pods.validation.stateful_set import stateful_set_errors

KIND: Final = "AIMKVCache"
_REDIS: Final = "redis"
_PORT: Final = 6379
_KEY: Final = "lmcache_config.yaml"
_VOLUME: Final = "lmcache-config-volume"
_LIMITS: Final = {"cpu": "1", "memory": "1Gi"}
_COMMAND: Final = ("redis-server", "--appendonly", "yes", "--save", "60", "1", "--loglevel", "notice")
_CONFIG: Final = 'local_cpu: true\nchunk_size: 50\nmax_local_cpu_size: 1.0\nremote_url: "{SERVICE_URL}"\nremote_serde: "naive"\n'
#: The variables of the engine, which kaiwo merges over the template's.
ENVIRONMENT: Final[list[JSONObject]] = [
    {"name": "LMCACHE_USE_EXPERIMENTAL", "value": "True"},
    {"name": "LMCACHE_CONFIG_FILE", "value": f"/lmcache/{_KEY}"},
    {"name": "LMCACHE_LOG_LEVEL", "value": "INFO"},
    {"name": "AIM_ENGINE_ARGS", "value": '{"kv-transfer-config": {"kv_connector":"LMCacheConnectorV1", "kv_role":"kv_both"}}'},
    {"name": "PYTHONHASHSEED", "value": "0"},
]


@dataclass(frozen=True, slots=True)
class KVCache:
    """The cache of a service: the objects that are created for it, and the reason if it never runs. `refused` are the API server's
    errors.
    """

    objects: list[JSONObject]
    failure: str = ""
    refused: Sequence[FieldError] = ()


def asked(service: JSONObject) -> bool:
    """Whether a service asks for a cache."""
    return isinstance(spec_of(service).get("kvCache"), dict)


def kv_cache_of(service: JSONObject, dialect: Dialect, facts: Facts) -> KVCache:
    """The cache that a service asks for."""
    wanted, namespace = part(spec_of(service), "kvCache"), namespace_of(service)
    name = text(wanted, "name") or f"kvcache-{namespace}"
    there = facts.objects.get(dialect.group, KIND, namespace, name)
    if there is not None:
        failed = status_of(there) == "Failed"
        failure = f"KV cache failed: {text(part(there, 'status'), 'statefulSetName') or stateful_set_name(there)}" if failed else ""
        return KVCache([] if failed else [_config_map(service, there, dialect)], failure)
    given = {key: wanted[key] for key in ("image", "env", "storage", "resources") if wanted.get(key) is not None}
    spec = {"kvCacheType": text(wanted, "type") or _REDIS, **given}
    metadata = {"name": name, "namespace": namespace}
    made: JSONObject = {"apiVersion": f"{dialect.group}/v1alpha1", "kind": KIND, "metadata": metadata, "spec": spec}
    redis = redis_of(made)
    if redis.failure:
        return KVCache([made, *redis.objects], f"KV cache failed: {stateful_set_name(made)}: {redis.failure}", redis.refused)
    return KVCache([made, *redis.objects, _config_map(service, made, dialect)])


def redis_of(cache: JSONObject) -> KVCache:
    """The Service and the StatefulSet of a cache, up to the first that the API server refuses, and its errors."""
    service, pods = _service(cache), _stateful_set(cache)
    taken: list[JSONObject] = []
    of_pods = stateful_set_errors(part(pods, "spec", "template"), claims=items(pods, "spec", "volumeClaimTemplates"))
    for made, errors in ((service, service_errors(service)), (pods, of_pods)):
        found: list[FieldError] = list(errors)
        if found:
            return KVCache(taken, invalid_message(made["kind"], made["apiVersion"].rpartition("/")[0], name_of(made), found), found)
        taken.append(made)
    return KVCache(taken)


def volume_and_mount(service: JSONObject) -> tuple[list[JSONObject], list[JSONObject]]:
    """The volume of the ConfigMap, and its mount; none without a cache."""
    if not asked(service):
        return [], []
    source = {"name": _config_name(service), "items": [{"key": _KEY, "path": _KEY}]}
    return [{"name": _VOLUME, "configMap": source}], [{"name": _VOLUME, "mountPath": "/lmcache", "readOnly": True}]


def stateful_set_name(cache: JSONObject) -> str:
    """The name of the StatefulSet."""
    return _derived(cache, _type(cache))


def service_name(cache: JSONObject) -> str:
    """The name of the Service."""
    return _derived(cache, _type(cache), "svc")


def _type(cache: JSONObject) -> str:
    return text(spec_of(cache), "kvCacheType")


def _derived(cache: JSONObject, *parts: str) -> str:
    return joined(name_of(cache), *parts, suffix=hashed(namespace_of(cache), name_of(cache)))


def _config_name(service: JSONObject) -> str:
    return joined("lmcache", name_of(service), suffix=hashed(namespace_of(service), name_of(service)))


def _config_map(service: JSONObject, cache: JSONObject, dialect: Dialect) -> JSONObject:
    url = f"redis://{service_name(cache)}.{namespace_of(cache)}.svc.cluster.local:{_PORT}"
    written = text(part(spec_of(service), "kvCache"), "lmCacheConfig") or _CONFIG
    metadata = {"name": _config_name(service), "namespace": namespace_of(service)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {_KEY: written.replace("{SERVICE_URL}", url)}}


def _labels(cache: JSONObject) -> JSONObject:
    return {"app": "redis", "aim.silogen.ai/kvcache": name_of(cache), "aim.silogen.ai/kvcache-type": _type(cache)}


def _service(cache: JSONObject) -> JSONObject:
    metadata = {"name": service_name(cache), "namespace": namespace_of(cache), "labels": _labels(cache)}
    ports = [{"name": "redis", "protocol": "TCP", "port": _PORT, "targetPort": _PORT}]
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": _labels(cache), "ports": ports}}


def _stateful_set(cache: JSONObject) -> JSONObject:
    labels, spec = _labels(cache), spec_of(cache)
    metadata = {"name": stateful_set_name(cache), "namespace": namespace_of(cache), "labels": labels}
    container: JSONObject = {
        "name": "redis",
        "image": text(spec, "image") or "redis:7.2.4",
        "command": [*_COMMAND],
        "resources": spec["resources"] if isinstance(spec.get("resources"), dict) else {"limits": _LIMITS, "requests": _LIMITS},
        "ports": [{"containerPort": _PORT, "name": "redis", "protocol": "TCP"}],
        "volumeMounts": [{"name": "redis-data", "mountPath": "/data"}],
        "livenessProbe": {
            "tcpSocket": {"port": _PORT},
            "initialDelaySeconds": 30,
            "periodSeconds": 10,
            "timeoutSeconds": 5,
            "failureThreshold": 3,
        },
        "readinessProbe": {
            "exec": {"command": ["redis-cli", "ping"]},
            "initialDelaySeconds": 5,
            "periodSeconds": 5,
            "timeoutSeconds": 3,
            "failureThreshold": 3,
        },
    }
    if env := items(spec, "env"):
        container["env"] = env
    return {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": metadata,
        "spec": {
            "replicas": 1,
            "serviceName": service_name(cache),
            "selector": {"matchLabels": labels},
            "podManagementPolicy": "OrderedReady",
            "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}},
            "volumeClaimTemplates": [_claim(part(spec, "storage"))],
        },
    }


def _claim(storage: JSONObject) -> JSONObject:
    size = amount(storage.get("size"))
    spec: JSONObject = {
        "accessModes": [*texts(storage, "accessModes")] or ["ReadWriteOnce"],
        "resources": {"requests": {"storage": str(size) if size is not None else "1Gi"}},
    }
    if isinstance(storage.get("storageClassName"), str):
        spec["storageClassName"] = storage["storageClassName"]
    return {"metadata": {"name": "redis-data"}, "spec": spec}
