"""How a service's pod gets its weights: init containers, volumes, mounts, paths, and the claims that the operator creates.

A claim as source is mounted read-only. Everything else is downloaded by an init container, into the model cache (one claim for each
namespace, or for each service) or, without a cache, into an emptyDir of the pod. Only pods of llama.cpp, vLLM and SGLang get this, but the
claim is created for all engines. Source: LLMKube v0.9.19, internal/controller/model_storage.go and deployment_builder.go.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.file import file_name
from weighbridge.policies.families.llmkube.predictions.model.state import cache_key
from weighbridge.policies.families.llmkube.predictions.storage import cache, download
from weighbridge.policies.families.llmkube.predictions.storage.draft import Layout, merged
from weighbridge.policies.families.llmkube.subject.fileset import FileSet, declares_files, file_set
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, local_problem, parse
from weighbridge.policies.families.prediction import Deferred, Event, PredictedValue
from weighbridge.policies.ground.fields import amount, flag, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, replace

#: The engines whose pod gets the weights from an init container or a claim; the others fetch them, or bring them along.
STAGED_ENGINES: Final = frozenset({"llamacpp", "vllm", "sglang"})
#: The engines among these that take the folder of a model with many files.
_FOLDER_ENGINES: Final = frozenset({"vllm", "sglang"})
#: The kinds of speculative decoding that need the weights of another model.
DRAFTED: Final = frozenset({"draft", "draft-simple", "draft-eagle3", "draft-dflash", "draft-dspark", "draft-mtp"})
_NOT_ALLOWED: Final = (
    "echo \"ERROR: SourceNotAllowed - the model's local/hostPath source is not within the operator's "
    '--allowed-host-path-roots (GHSA-jw3m-8q7m-f35r)."; exit 1'
)


@dataclass(frozen=True, slots=True)
class Storage:
    """Where the weights are and what puts them there.

    `model_path` is the engine's argument, empty if the pod gets no weights (another engine, skipModelInit); `mmproj_path` and `draft_path`
    are empty unless used. `claims` are PersistentVolumeClaims that the operator creates; `failure` is its message if it can't.
    """

    model_path: str = ""
    mmproj_path: str = ""
    draft_path: str = ""
    init_containers: tuple[JSONObject, ...] = ()
    volumes: tuple[JSONObject, ...] = ()
    mounts: tuple[JSONObject, ...] = ()
    claims: tuple[JSONObject, ...] = ()
    values: Sequence[PredictedValue] = ()
    events: tuple[Event, ...] = ()
    failure: str = ""


def storage(model: JSONObject, service: JSONObject, operator: KnownOperator, facts: Facts) -> Storage:
    """The storage of a service whose Model is Ready. It never fails."""
    source, key = parse(text(spec_of(model), "source"), operator), cache_key(model, operator)
    wanted = cache.wanted(source, key, service, operator, facts)
    events = (*cache.events(model, source, key, service, operator, facts), *_events(source, service))
    if wanted.failure:
        return Storage(events=events, failure=wanted.failure)
    spec = spec_of(service)
    if (text(spec, "runtime") or "llamacpp") not in STAGED_ENGINES or flag(spec, "skipModelInit"):
        return Storage(claims=wanted.claims, events=events)
    placed = layout(model, service, operator, facts)
    draft = _draft(service, operator, facts)
    draft_path = ""
    if draft is not None:
        placed, draft_path = merged(placed, layout(draft, service, operator, facts))
    elif placed.folder and _speculates(service) and operator.since(0, 9, 18):
        companion = text(part(spec, "speculativeDecoding"), "draftModel")
        draft_path = f"{placed.folder}/{companion}" if companion else ""
    files = file_set(model)
    return Storage(
        model_path=_served(model, service, operator, placed),
        mmproj_path=posixpath.normpath(f"{placed.folder}/{files.mmproj}") if placed.folder and files.mmproj else "",
        draft_path=draft_path,
        init_containers=placed.init_containers,
        volumes=placed.volumes,
        mounts=placed.mounts,
        claims=wanted.claims,
        values=Deferred(lambda: _values(model, service, operator, placed, source, key)),
        events=events,
    )


def layout(model: JSONObject, service: JSONObject | None, operator: KnownOperator, facts: Facts, *, force_cache: bool = False) -> Layout:
    """Where the pod finds one model. Without a service this is the pod of a prefetch, which always has the cache of the namespace."""
    placed = _placed(model, service, operator, force_cache=force_cache)
    return replace(placed, init_containers=tuple(download.diagnosed(container, operator) for container in placed.init_containers))


def _placed(model: JSONObject, service: JSONObject | None, operator: KnownOperator, *, force_cache: bool) -> Layout:
    source = parse(text(spec_of(model), "source"), operator)
    if local_problem(source, operator):
        return _refused(operator)
    if source.kind is SourceKind.CLAIM:
        return _claimed(source)
    key = cache_key(model, operator) or (source.cache_key if force_cache else "")
    if force_cache or cache.is_used(service, key, operator):
        return _cached(model, service, operator, source, key)
    return _ephemeral(model, service, operator, source)


def _served(model: JSONObject, service: JSONObject, operator: KnownOperator, placed: Layout) -> str:
    """The path for the engine: vLLM and SGLang take the whole folder of a model in another format than GGUF."""
    by_folder = text(spec_of(service), "runtime") in _FOLDER_ENGINES and operator.since(0, 9, 8)
    return placed.folder if placed.folder and by_folder and text(spec_of(model), "format") not in {"", "gguf"} else placed.model_path


def _claimed(source: Source) -> Layout:
    return Layout(
        model_path=f"/model-source/{source.path if not source.problem else ''}",
        volumes=({"name": "model-source", "persistentVolumeClaim": {"claimName": source.claim, "readOnly": True}},),
        mounts=({"name": "model-source", "mountPath": "/model-source", "readOnly": True},),
    )


def _refused(operator: KnownOperator) -> Layout:
    """A pod that ends at once: the operator never mounts a folder of the node that isn't allowed."""
    return Layout(
        model_path="/models/model.gguf",
        init_containers=({"name": download.DOWNLOADER, "image": operator.init_container_image, "command": ["sh", "-c", _NOT_ALLOWED]},),
        volumes=({"name": "model-storage", "emptyDir": {}},),
        mounts=({"name": "model-storage", "mountPath": "/models", "readOnly": True},),
    )


def _cached(model: JSONObject, service: JSONObject | None, operator: KnownOperator, source: Source, key: str) -> Layout:
    folder = f"/models/{key}"
    volumes: list[JSONObject] = [{"name": "model-cache", "persistentVolumeClaim": {"claimName": cache.claim_name(service, operator)}}]
    mounts = ({"name": "model-cache", "mountPath": "/models", "readOnly": True},)
    own: list[JSONObject] = [{"name": "model-cache", "mountPath": "/models"}]
    files = file_set(model)
    if files.problem:
        stop = download.invalid_files(operator)
        return Layout(f"{folder}/model.gguf", init_containers=(stop,), volumes=tuple(volumes), mounts=mounts)
    if not files.files and source.kind is SourceKind.LOCAL:
        volumes.append({"name": "host-model", "hostPath": {"path": source.path, "type": "File"}})
        own.append({"name": "host-model", "mountPath": "/host-model/model.gguf", "readOnly": True})
    _certify(volumes, own, operator)
    if files.files:
        path = posixpath.normpath(f"{folder}/{files.primary}")
        fetch = download.fetch_files(model, service, operator, source, files, folder=folder, cached=True, mounts=own)
    else:
        path = f"{folder}/{_base_name(model)}"
        fetch = download.fetch_one(model, service, operator, source, folder=folder, path=path, mounts=own)
    prepared = (download.prepare(operator, _fs_group(service, operator)),) if operator.since(0, 8, 19) else ()
    return Layout(path, folder if files.files else "", (*prepared, fetch), tuple(volumes), mounts)


def _ephemeral(model: JSONObject, service: JSONObject | None, operator: KnownOperator, source: Source) -> Layout:
    own_name = f"/models/{namespace_of(service) or namespace_of(model)}-{name_of(model)}"
    files: FileSet = file_set(model)
    volume: JSONObject = {"name": "model-storage", "emptyDir": {} if files.problem else _size_limit(service, operator)}
    mounts = ({"name": "model-storage", "mountPath": "/models", "readOnly": True},)
    if files.problem:
        return Layout(f"{own_name}/model.gguf", init_containers=(download.invalid_files(operator),), volumes=(volume,), mounts=mounts)
    volumes, own = [volume], [{"name": "model-storage", "mountPath": "/models"}]
    _certify(volumes, own, operator)
    if files.files:
        path = f"{own_name}/{files.primary}"
        fetch = download.fetch_files(model, service, operator, source, files, folder=own_name, cached=False, mounts=own)
        return Layout(path, own_name, (fetch,), tuple(volumes), mounts)
    path = own_name + ".gguf"
    fetch = download.fetch_one(model, service, operator, source, folder="", path=path, mounts=own)
    return Layout(path, "", (fetch,), tuple(volumes), mounts)


def _certify(volumes: list[JSONObject], mounts: list[JSONObject], operator: KnownOperator) -> None:
    """Add the CA certificates that downloads trust."""
    if operator.ca_cert_configmap:
        # 420 is 0644, which the API server writes if no mode is given.
        volumes.append({"name": download.CERTIFICATES, "configMap": {"name": operator.ca_cert_configmap, "defaultMode": 420}})
        mounts.append({"name": download.CERTIFICATES, "mountPath": "/custom-certs", "readOnly": True})


def _base_name(model: JSONObject) -> str:
    """The file's name in the cache, as the operator has stored the file or would store it."""
    stored = text(part(model, "status"), "path")
    return posixpath.basename(stored) or file_name(model)


def _fs_group(service: JSONObject | None, operator: KnownOperator) -> int:
    return whole(part(spec_of(service), "podSecurityContext"), "fsGroup", operator.default_fs_group)


def _size_limit(service: JSONObject | None, operator: KnownOperator) -> JSONObject:
    """The limit on the disk that the download may take, if the service sets one."""
    stated = text(part(spec_of(service), "resources"), "ephemeralStorage")
    limit = amount(stated) if stated and cache.is_declined(service, operator) else None
    return {"sizeLimit": limit.canonical()} if limit is not None else {}


def _speculates(service: JSONObject) -> bool:
    return text(part(spec_of(service), "speculativeDecoding"), "type") in DRAFTED


def _draft(service: JSONObject, operator: KnownOperator, facts: Facts) -> JSONObject | None:
    """The draft Model of the service; `None` if it names none, or one that isn't known."""
    name = text(part(spec_of(service), "speculativeDecoding"), "draftModelRef")
    if not name or not _speculates(service) or not operator.since(0, 9, 18):
        return None
    found = facts.objects.get(GROUP, "Model", namespace_of(service), name)
    return found if isinstance(found, dict) else None


def _events(source: Source, service: JSONObject) -> Iterator[Event]:
    if source.kind is SourceKind.REPOSITORY and not flag(spec_of(service), "skipModelInit"):
        yield Event(
            "MissingSkipModelInit",
            "Model source is a HuggingFace repo ID (resolved by the runtime at startup); "
            "set spec.skipModelInit=true so the init container does not run",
        )


def _values(
    model: JSONObject, service: JSONObject, operator: KnownOperator, placed: Layout, source: Source, key: str
) -> Iterator[PredictedValue]:
    """The paths, volumes and images, with their sources."""
    name, of_model = f"Deployment/{name_of(service)}", f"Model {name_of(model)} spec.source"
    how = {
        SourceKind.CLAIM: "the source is a claim, mounted read-only",
        SourceKind.REPOSITORY: "a repository has no key in the cache unless the Model lists files",
    }
    brought = (
        "the first 16 digits of the source's SHA-256"
        if key == source.cache_key
        else "as it was made of the source that it was fetched from"
    )
    reason = how.get(source.kind, f"fetched into folder {key} of the cache, {brought}")
    if declares_files(model):
        of_model, reason = f"Model {name_of(model)} spec.files", "the first file is the model"
    fetching = [index for index, container in enumerate(placed.init_containers) if container["name"] == download.DOWNLOADER]
    if fetching:
        yield PredictedValue(name, f"spec.template.spec.initContainers[{fetching[0]}].env", placed.model_path, of_model, reason)
    else:
        mount = "spec.template.spec.containers[0].volumeMounts[0].mountPath"
        yield PredictedValue(name, mount, placed.mounts[0]["mountPath"], of_model, reason)
    for index, volume in enumerate(placed.volumes):
        origin, why = cache.volume_origin(volume, model, service, operator)
        yield PredictedValue(name, f"spec.template.spec.volumes[{index}]", volume, origin, why)
    image = f"operator --init-container-image ({operator.origin('init_container_image')})"
    for index, container in enumerate(placed.init_containers):
        field = f"spec.template.spec.initContainers[{index}].image"
        yield PredictedValue(name, field, container["image"], image, f"image of {container['name']}")
