"""The volumes that a service's weights get.

aim-engine makes an artifact for each source, which services share, and a volume for each artifact. kaiwo makes one volume for the service,
unless it caches.

Source: kaiwo dbca1b55, internal/controller/aim/shared/storage.go; aim-engine v0.2.1, internal/aimtemplatecache.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.predictions.environment import merge_environment
from weighbridge.policies.families.aim.predictions.storage import artifact_name, headroom, storage_class, volume_size
from weighbridge.policies.families.aim.predictions.workload import Work, sources_of
from weighbridge.policies.ground.fields import amount, flag, items, part, text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.ground.quantity import Quantity


def volumes_of(work: Work) -> list[JSONObject]:
    """The artifacts of aim-engine, or kaiwo's claim; none if no weights are known, and no claim if kaiwo caches."""
    if work.dialect.is_aim_engine:
        return [_artifact(work, source) for source in sources_of(work)]
    return [] if flag(work.spec, "cacheModel") else _claim(work)


def size_of(work: Work, weights: JSONValue) -> str:
    """The size of the volume for weights of a size; empty if that is no size."""
    read = amount(weights)
    return volume_size(read, headroom(work.dialect, work.spec, work.config)) if read is not None and read.sign() > 0 else ""


def _artifact(work: Work, source: JSONObject) -> JSONObject:
    chosen = storage_class(work.dialect, work.spec, work.config)
    caching = items(work.template_spec, "caching", "env")
    env: list[JSONObject] = []
    for layer in (items(work.template_spec, "env"), caching, items(work.spec, "env"), items(source, "env")):
        env = merge_environment(env, layer, merges_arguments=False)
    uri = text(source, "sourceUri")
    # Go writes a size that isn't there as 0.
    spec: JSONObject = {key: source[key] for key in ("modelId", "sourceUri") if source.get(key)} | {"size": source.get("size") or "0"}
    spec |= {"env": env} if env else {}
    spec |= {"storageClassName": chosen} if chosen else {}
    if size := size_of(work, source.get("size")):
        status: JSONObject = {"allocatedSize": size, "headroomPercent": headroom(work.dialect, work.spec, work.config)}
    else:
        status = {}
    name = artifact_name(uri, env, chosen)
    # If a service doesn't share it, the name has a digest of the uid, too.
    if text(part(work.spec, "caching"), "mode") in ("Dedicated", "Never"):
        name = f"{name.rpartition('-')[0]}-{'x' * 10}"
    metadata = {"name": name, "namespace": namespace_of(work.service)}
    made = {"apiVersion": f"{work.dialect.group}/v1alpha1", "kind": "AIMArtifact", "metadata": metadata, "spec": spec}
    return {**made, "status": status} if status else made


def _claim(work: Work) -> list[JSONObject]:
    sizes = [read for source in sources_of(work) if (read := amount(source.get("size"))) is not None]
    total = Quantity.from_int(sum(size.value() for size in sizes))
    size = size_of(work, str(total))
    if not size:
        return []
    spec: JSONObject = {"accessModes": ["ReadWriteMany"], "resources": {"requests": {"storage": size}}, "volumeMode": "Filesystem"}
    if chosen := storage_class(work.dialect, work.spec, work.config):
        spec["storageClassName"] = chosen
    metadata = {"name": f"{name_of(work.service)}-temp-cache", "namespace": namespace_of(work.service)}
    return [{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec}]
