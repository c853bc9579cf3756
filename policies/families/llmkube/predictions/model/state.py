"""The status that the operator gives a Model: who fetches its weights, where they go, and what is wrong with it.

The first of these decides: a local path outside the allowed folders, files that can't be staged from such a source, a prefetch, a Model
that was Ready before (which the operator leaves as it is, even if its spec has changed), and then the kind of source. If the outcome
depends on the network or on the operator's own disk, the state before that is predicted, and `unknown` says what decides. Source: LLMKube
v0.9.19, internal/controller/model_controller.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.model.accelerator import accelerator_ready
from weighbridge.policies.families.llmkube.predictions.model.controller_download import download_problem
from weighbridge.policies.families.llmkube.predictions.model.file import file_name
from weighbridge.policies.families.llmkube.subject.fileset import declares_files, file_set, source_problem
from weighbridge.policies.families.llmkube.subject.gpu import on_metal
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.llmkube.subject.source import Source, SourceKind, cleaned, local_problem, parse, usable_roots
from weighbridge.policies.families.prediction import condition
from weighbridge.policies.ground.fields import flag, items, part, text, texts
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass

READY: Final = "Ready"
FAILED: Final = "Failed"
#: The phase of a Model at whose reconcile the operator breaks off each time, before it writes a status.
_BROKEN_OFF: Final = ""
NO_CLAIM: Final = "PVCNotFound"
_RESOLVED: Final = "Source is runtime-resolved (e.g., HuggingFace repo ID); runtime will fetch at startup"
_BY_POD: Final = (
    "Source is a remote URL; the InferenceService Pod's init container will fetch the model "
    "into the per-namespace model cache PVC at startup"
)
_BY_AGENT: Final = (
    "Source is a remote URL; the host metal-agent will fetch the model into its model store when the InferenceService is reconciled"
)
_ON_METAL: Final = "Source is a local path on the Metal node; the host metal-agent loads the model directly"
#: Where pods find the file of a claim. The operator has no such folder.
_OF_CLAIM: Final = "/model-source/"
#: Reasons for which the operator refuses a source, before it starts anything.
REFUSED: Final = frozenset({"SourceNotAllowed", "InvalidFileSet"})
#: Reasons of Ready Models for which there is no folder of the cache.
_WITHOUT_KEY: Final = frozenset({"RuntimeResolved", "MetalAgentManaged"})
_PREFETCHING: Final = "Started prefetch job downloading model into the shared cache"
_STARTED: Final[Mapping[bool, tuple[str, str]]] = {
    True: ("CopyStarted", "Started copying local model"),
    False: ("DownloadStarted", "Started downloading model"),
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of the status, as the operator first writes it."""

    type: str
    reason: str
    message: str
    status: str = "True"

    def as_json(self) -> JSONObject:
        """The condition without the time of its last change."""
        return condition(self.type, self.status, self.reason, self.message)


@dataclass(frozen=True, slots=True)
class ModelState:
    """A Model's status; `reason` and `message` are those of the condition that decides.

    `accelerator_ready` is `None` if the operator doesn't check it, or if the check depends on unknown facts. `unknown` says on which
    unknown fact the outcome depends, and is empty if there is none.
    """

    phase: str
    reason: str
    message: str
    cache_key: str = ""
    path: str = ""
    size: str = ""
    staged_files: tuple[str, ...] = ()
    accelerator_ready: bool | None = None
    conditions: tuple[Condition, ...] = ()
    unknown: str = ""

    @property
    def problem(self) -> str:
        """The message where the Model failed or never gets a status, else empty."""
        return self.message if self.phase in (FAILED, _BROKEN_OFF) else ""

    @property
    def lacks_claim(self) -> bool:
        """Whether it failed because its claim doesn't exist; another manifest may have it."""
        return self.reason == NO_CLAIM

    def as_json(self) -> JSONObject:
        """The status as the API holds it, without times."""
        if self.phase == _BROKEN_OFF:
            return {}
        status: JSONObject = {"phase": self.phase, "conditions": [condition.as_json() for condition in self.conditions]}
        found = {"cacheKey": self.cache_key, "path": self.path, "size": self.size, "stagedFiles": list(self.staged_files)}
        status |= {key: value for key, value in found.items() if value}
        return status | {"acceleratorReady": True} if self.accelerator_ready else status


def model_state(model: JSONObject, operator: KnownOperator, facts: Facts) -> ModelState:
    """The status of a Model once the operator has seen it. It never fails."""
    source = parse(text(spec_of(model), "source"), operator)
    refused = local_problem(source, operator)
    if refused:
        return _failed("SourceNotAllowed", refused)
    if declares_files(model):
        unusable = source_problem(source, operator)
        if unusable:
            return _failed("InvalidFileSet", unusable)
    if prefetches(model, source, operator) and not is_prefetched(model):
        return _prefetched(model, source, operator)
    kept = _kept(model, source)
    if kept is not None:
        return kept
    if source.kind is SourceKind.CLAIM:
        return _of_claim(model, source, operator, facts)
    if source.kind in {SourceKind.REPOSITORY, SourceKind.REMOTE, SourceKind.BUCKET} or (
        source.kind is SourceKind.LOCAL and on_metal(model)
    ):
        return _left_to_others(model, source, operator, facts)
    return _copied(model, source, operator, facts) if source.kind is SourceKind.LOCAL else _downloaded(source)


def prefetches(model: JSONObject, source: Source, operator: KnownOperator) -> bool:
    """Whether the operator starts a Job that downloads the Model ahead of its services."""
    if not operator.since(0, 9, 11) or not flag(spec_of(model), "prefetch"):
        return False
    return source.text.startswith(("http://", "https://")) or _has_address(source.text)


def cache_key(model: JSONObject, operator: KnownOperator) -> str:
    """The folder of the cache that the services of a Ready Model use; empty if they use none.

    A key that is stored stays if the operator leaves the status as it is, or prefetches. A Ready Model without a key gets none. If a Model
    stages files of a repository, its status has no key, but there is one here.
    """
    source, status = parse(text(spec_of(model), "source"), operator), part(model, "status")
    is_ahead, kept = prefetches(model, source, operator), is_kept(model, source)
    stored = text(status, "cacheKey") if kept or is_ahead or not text(status, "phase") else ""
    if stored:
        return stored
    if source.kind is SourceKind.LOCAL and on_metal(model):
        return ""
    if is_ahead or (source.kind is not SourceKind.REPOSITORY and not (kept and _was_left_to_others(status))):
        return source.cache_key
    staged = declares_files(model) and not on_metal(model) and operator.since(0, 8, 23)
    return source.cache_key if staged else ""


def _was_left_to_others(status: JSONObject) -> bool:
    """Whether a Model was Ready with a source that needs no folder of the cache, since the engine or the Mac fetches it."""
    return any(text(held, "type") == "Available" and text(held, "reason") in _WITHOUT_KEY for held in items(status, "conditions"))


def is_prefetched(model: JSONObject) -> bool:
    """Whether the operator starts no prefetch any more: the Model is Ready, and has a folder of the cache."""
    status = part(model, "status")
    return text(status, "phase") == READY and bool(text(status, "cacheKey"))


def _has_address(text: str) -> bool:
    """Whether upstream's parser derives an address from the text after ``hf://``, even one that doesn't exist."""
    repository, pinned, revision = text.removeprefix("hf://").partition("@")
    return text.startswith("hf://") and bool(repository and (revision or not pinned)) and not set(revision) & set(" \t\n\r")


def _state(
    phase: str,
    condition: Condition,
    *,
    before: tuple[Condition, ...] = (),
    cache_key: str = "",
    path: str = "",
    size: str = "",
    staged: tuple[str, ...] = (),
    accelerator: bool | None = None,
    unknown: str = "",
) -> ModelState:
    return ModelState(phase, condition.reason, condition.message, cache_key, path, size, staged, accelerator, (*before, condition), unknown)


def _failed(reason: str, message: str, *, before: tuple[Condition, ...] = (), cache_key: str = "") -> ModelState:
    return _state(FAILED, Condition("Degraded", reason, message), before=before, cache_key=cache_key)


def is_kept(model: JSONObject, source: Source) -> bool:
    """Whether the operator leaves the stored status: it is Ready, and the operator has a file if it fetches such a source itself."""
    status = part(model, "status")
    fetches = source.kind is SourceKind.CONTROLLER or (source.kind is SourceKind.LOCAL and not on_metal(model))
    path = text(status, "path")
    return text(status, "phase") == READY and (not fetches or bool(path and not path.startswith(_OF_CLAIM)))


def _kept(model: JSONObject, source: Source) -> ModelState | None:
    """The stored status if it is Ready, since the operator doesn't check such a Model again; `None` if it isn't."""
    status = part(model, "status")
    if not is_kept(model, source):
        return None
    conditions = tuple(
        Condition(text(found, "type"), text(found, "reason"), text(found, "message"), text(found, "status"))
        for found in items(status, "conditions")
    )
    available = next((found for found in conditions if found.type == "Available"), Condition("Available", "", ""))
    return ModelState(
        READY,
        available.reason,
        available.message,
        text(status, "cacheKey"),
        text(status, "path"),
        text(status, "size"),
        texts(status, "stagedFiles"),
        flag(status, "acceleratorReady"),
        conditions,
    )


def _prefetched(model: JSONObject, source: Source, operator: KnownOperator) -> ModelState:
    # Few Models are prefetched.
    from weighbridge.policies.families.llmkube.predictions.model.prefetch_job import DOWNLOADING, refusal_of, refused_fields

    refused = refusal_of(model, refused_fields(model, operator))
    if refused:
        return ModelState(_BROKEN_OFF, "", refused)
    return _state(DOWNLOADING, Condition("Progressing", "PrefetchStarted", _PREFETCHING), cache_key=source.cache_key)


def _of_claim(model: JSONObject, source: Source, operator: KnownOperator, facts: Facts) -> ModelState:
    if source.problem:
        return _failed("InvalidSource", source.problem)
    namespace = namespace_of(model)
    claim = facts.objects.get("", "PersistentVolumeClaim", namespace, source.claim)
    if claim is None and facts.objects.knows_all("", "PersistentVolumeClaim"):
        return _failed(NO_CLAIM, f"PVC {quote(source.claim)} not found in namespace {quote(namespace)}")
    phase, unknown = _claim_phase(claim, namespace, facts)
    if phase and phase != "Bound":
        message = f"PVC {quote(source.claim)} is {phase}, waiting for it to be Bound"
        return _state("Pending", Condition("Progressing", "PVCNotBound", message), unknown=unknown)
    return _state(
        READY,
        Condition("Available", "PVCModelReady", f"Model available on PVC {quote(source.claim)}"),
        cache_key=source.cache_key,
        path=f"{_OF_CLAIM}{source.path}",
        accelerator=accelerator_ready(model, operator, facts),
        unknown="" if phase else f"whether PersistentVolumeClaim {source.claim} exists and is bound",
    )


def _claim_phase(claim: JSONObject | None, namespace: str, facts: Facts) -> tuple[str, str]:
    """The phase of a claim, empty if it isn't known, and why it isn't certain.

    A new claim starts as Pending. As long as there is no pod, only the volume controller may bind it.
    """
    phase = text(part(claim, "status"), "phase")
    if claim is None or phase:
        return phase, ""
    from weighbridge.policies.placement.volumes.new_claims import bind

    found = bind([{**claim, "metadata": {**metadata_of(claim), "namespace": namespace}}], facts.objects)
    if found.unknown:
        return "Pending", f"whether PersistentVolumeClaim {name_of(claim)} is bound"
    is_bound = any(text(part(each, "status"), "phase") == "Bound" for each in found.objects)
    return "Bound" if is_bound else "Pending", ""


def _left_to_others(model: JSONObject, source: Source, operator: KnownOperator, facts: Facts) -> ModelState:
    """Sources that the engine, the pod's init container or the Mac fetches: the operator says Ready at once."""
    files = file_set(model)
    if files.problem:
        return _failed("InvalidFileSet", files.problem)
    reason, message = "RuntimeResolved", _RESOLVED
    if source.kind is SourceKind.LOCAL:
        reason, message = "MetalAgentManaged", _ON_METAL
    elif source.kind is not SourceKind.REPOSITORY:
        reason, message = "WorkloadResolved", _BY_AGENT if on_metal(model) else _BY_POD
    return _state(
        READY,
        Condition("Available", reason, message),
        cache_key=source.cache_key if reason == "WorkloadResolved" else "",
        size="0",
        staged=files.files,
        accelerator=accelerator_ready(model, operator, facts),
    )


def _copied(model: JSONObject, source: Source, operator: KnownOperator, facts: Facts) -> ModelState:
    folder = f"{(operator.model_cache_path or '/models').rstrip('/')}/{source.cache_key}"
    if _is_cached(model, source, facts):
        return _state(
            READY,
            Condition("Available", "ModelCached", "Model found in cache"),
            cache_key=source.cache_key,
            path=f"{folder}/{file_name(model)}",
            accelerator=accelerator_ready(model, operator, facts),
        )
    started = Condition("Progressing", *_STARTED[True])
    if cleaned(source.path) in usable_roots(operator):
        # The source is an allowed folder itself, and a folder can't be copied as a file.
        fault = f"failed to copy model file: write {folder}/.model-<n>.tmp: copy_file_range: is a directory"
        return _failed("CopyFailed", fault, before=(started,), cache_key=source.cache_key)
    return _state(
        READY,
        Condition("Available", "ModelReady", "Model downloaded and cached"),
        before=(started, Condition("SourceDrifted", "InSync", "Cached model matches the upstream source", "False")),
        cache_key=source.cache_key,
        path=f"{folder}/{file_name(model)}",
        accelerator=accelerator_ready(model, operator, facts),
        unknown=f"whether the operator can read {source.path} on its own disk",
    )


def _is_cached(model: JSONObject, source: Source, facts: Facts) -> bool:
    """Whether the operator has copied the source already, for a Ready Model of any namespace."""
    own = (namespace_of(model), name_of(model))
    return any(
        (namespace_of(other), name_of(other)) != own and not on_metal(other) and text(part(other, "status"), "phase") == READY
        for other in facts.objects.where(GROUP, "Model", _source_of, source.text)
    )


def _source_of(model: JSONObject) -> str:
    return text(spec_of(model), "source")


def _downloaded(source: Source) -> ModelState:
    started = Condition("Progressing", *_STARTED[False])
    problem = download_problem(source.text)
    if problem:
        return _failed("DownloadFailed", problem, before=(started,), cache_key=source.cache_key)
    # A page of huggingface.co that isn't a repository's has no model, whatever the answer is.
    failed = Condition("Degraded", "DownloadFailed", "failed to download")
    return _state(FAILED, failed, before=(started,), cache_key=source.cache_key, unknown=f"what {source.text} answers")
