"""What the operator does for an InferenceService, in its own order: Model, draft Model, cache, then Deployment, Service, autoscaler,
status.

Each step can end the reconcile. The service fails if its Model doesn't exist, if its GPU settings contradict each other, or if the API
server refuses an object. It waits while its Model isn't ready. At an amount that it can't read the operator panics, and then there is no
status at all. Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go (Reconcile).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.creation import created
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator, operator_for
from weighbridge.policies.families.llmkube.predictions.engines import Launch, launch
from weighbridge.policies.families.llmkube.predictions.model.state import READY, ModelState, model_state
from weighbridge.policies.families.llmkube.predictions.service import address as service
from weighbridge.policies.families.llmkube.predictions.service import autoscaler, deployment
from weighbridge.policies.families.llmkube.predictions.service.resources import unreadable
from weighbridge.policies.families.llmkube.predictions.service.status import (
    FAILED,
    PENDING,
    STILL_DEGRADED,
    desired_replicas,
    has_objects,
    is_suspended,
    phase_of,
    status,
    written_status,
)
from weighbridge.policies.families.llmkube.predictions.service.workload import Workload, workload
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import DRAFTED, Storage, storage
from weighbridge.policies.families.llmkube.subject.pool_members import PoolShare
from weighbridge.policies.families.llmkube.subject.references import GROUP, model_named, model_of
from weighbridge.policies.families.llmkube.subject.stored import as_stored
from weighbridge.policies.families.llmkube.upstream import gpu_shares, parallelism
from weighbridge.policies.families.prediction import Deferred, Event, Prediction
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal
from weighbridge.policies.pods.validation.deployment import deployment_refusal

_SUBJECT: Final = "what LLMKube does with it"
_NO_MODEL: Final = "Model not found"
#: The only warning about an engine's settings that comes before the operator finds that there is no pod.
_WITHOUT_PODS: Final = "MissingMemoryRequest"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The prediction for a service, the state of its Model and, if the reconcile gets that far, how its pods get their weights and are
    started.
    """

    prediction: Prediction | None = None
    storage: Storage | None = None
    launch: Launch | None = None
    state: ModelState | None = None


@dataclass(slots=True)
class _Reconcile:
    """One reconcile of a service, with its results so far.

    `pool` is the ModelPool that sets the replicas; empty if none does. `is_refused` says that the reconcile ends with a refusal that will
    come every time.
    """

    service: JSONObject
    spec: JSONObject
    operator: KnownOperator
    replicas: int
    pool: str = ""
    work: Workload | None = None
    objects: list[JSONObject] = field(default_factory=list)
    failed_before: str = ""
    is_refused: bool = False
    storage: Storage | None = None
    launch: Launch | None = None
    state: ModelState | None = None
    conditions: tuple[JSONObject, ...] = ()
    events: tuple[Event, ...] = ()
    unchecked: list[Unchecked] = field(default_factory=list)

    def ends(
        self, phase: str, message: str = "", *, failure: str = "", waits: str = "", early: bool = False, endpoint: str = ""
    ) -> Prediction:
        """The end of the reconcile with a status. `early` means before the Model was found ready; `waits` says what the service waits
        for.
        """
        is_metal = self.work is not None and self.work.is_metal
        found = status(
            self.spec,
            self.operator,
            phase,
            message,
            replicas=0 if early else self.replicas,
            model_ready=not early,
            endpoint=endpoint,
            is_metal=is_metal,
            failed_before=self.failed_before,
            conditions=self.conditions,
        )
        kept = self.failed_before if phase in STILL_DEGRADED else ""
        return self._effective(found, failure or (message if phase == FAILED else ""), kept, waits)

    def breaks_off(self, failure: str) -> Prediction:
        """The end of the reconcile with an error, at which every later one stops too: the status stays, or only others write one."""
        return self._effective(written_status(self.service), failure)

    def refused(self, kind: str, refusal: str) -> Prediction:
        """The end of the reconcile at an object that the API server refuses. One that exists stays as it is, and the status too."""
        self.is_refused = True
        if has_objects(self.service):
            return self.breaks_off(f"Failed to update {kind}: {refusal}")
        return self.ends(FAILED, f"Failed to create {kind}", failure=f"Failed to create {kind}: {refusal}")

    def _effective(self, found: JSONObject, failure: str, kept: str = "", waits: str = "") -> Prediction:
        return Prediction(
            status=found,
            objects=tuple(self.objects),
            values=Deferred(self.work.all_values) if self.work is not None else (),
            settings=self.operator.settings(),
            events=self.events,
            failure=failure,
            weight=Severity.ERROR if self.is_refused else Severity.WARNING,
            kept=kept,
            waits=waits,
            unchecked=tuple(self.unchecked),
        )

    def unknown(self, state: ModelState, name: str) -> None:
        """Note which part of a Model's state can't be known."""
        if state.unknown:
            self.unchecked.append(Unchecked(_SUBJECT, f"the state of Model {name} depends on {state.unknown}"))


def predict(request: Request, facts: Facts, config: Configuration, share: PoolShare | None = None) -> Reconciled:
    """The prediction; empty for an object without a spec, and for subresources. It never fails.

    If a ModelPool sets the service's replicas, `share` has their number; otherwise the service gets the number that it requests.
    """
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return Reconciled()
    namespace = namespace_of(found) or request.namespace or "default"
    judged, operator = as_stored(found, namespace), operator_for(request, facts, config)
    spec = spec_of(judged)
    model = request.once(model_of, lambda: model_of(judged, namespace, facts, config))
    reconcile = _Reconcile(judged, spec, operator, desired_replicas(spec, operator))
    if share is not None and not is_suspended(spec, operator):
        reconcile.pool, reconcile.replicas = share.pool, share.replicas
    prediction = _reconciled(reconcile, model, namespace, facts, config)
    return Reconciled(prediction, reconcile.storage, reconcile.launch, reconcile.state)


def _reconciled(reconcile: _Reconcile, model: JSONObject | None, namespace: str, facts: Facts, config: Configuration) -> Prediction:
    """Run the reconcile to its end."""
    judged, operator = reconcile.service, reconcile.operator
    if model is None:
        return _without_model(reconcile, text(reconcile.spec, "modelRef"), facts)
    model = as_stored(model, namespace)
    if is_later(model, judged):
        reconcile.failed_before = _NO_MODEL
    state = reconcile.state = model_state(model, operator, facts)
    reconcile.unknown(state, name_of(model))
    if state.phase != READY:
        return _awaits(reconcile, "Waiting for Model to be Ready", state)
    waiting = _waits_for_draft(reconcile, namespace, facts, config)
    if waiting is not None:
        return waiting
    reconcile.work = workload(judged, with_cache_key(model, state), namespace, operator, facts)
    return _with_model(reconcile, reconcile.work)


def with_cache_key(model: JSONObject, state: ModelState) -> JSONObject:
    """The Model as its services find it: with the cache key, which the operator has written into its status by then."""
    written = part(model, "status")
    return {**model, "status": {**written, "cacheKey": state.cache_key}} if state.cache_key and not text(written, "cacheKey") else model


def is_later(model: JSONObject, service: JSONObject) -> bool:
    """Whether a Model was stored after its service, which failed because of that and hasn't been ready since."""
    has_been_ready = text(part(service, "status"), "phase") == "Ready"
    return bool(created(service)) and not has_been_ready and created(model) > created(service)


def draft_name(spec: JSONObject, operator: KnownOperator) -> str:
    """The draft Model of a service; empty if it names none or this operator doesn't look for one."""
    asked = part(spec, "speculativeDecoding")
    return text(asked, "draftModelRef") if text(asked, "type") in DRAFTED and operator.since(0, 9, 18) else ""


def _without_model(reconcile: _Reconcile, name: str, facts: Facts) -> Prediction:
    if name and not facts.objects.knows_all(GROUP, "Model"):
        reconcile.unchecked.append(Unchecked(_SUBJECT, f"Model {name} isn't known"))
        return Prediction({}, settings=reconcile.operator.settings(), unchecked=tuple(reconcile.unchecked))
    return reconcile.ends(FAILED, _NO_MODEL, early=True)


def _waits_for_draft(reconcile: _Reconcile, namespace: str, facts: Facts, config: Configuration) -> Prediction | None:
    """The end of the reconcile if the draft Model doesn't exist or isn't ready; `None` if it is."""
    name = draft_name(reconcile.spec, reconcile.operator)
    if not name:
        return None
    draft, missing = model_named(namespace, name, facts, config), f"Draft model {quote(name)} not found"
    if draft is None and facts.objects.knows_all(GROUP, "Model"):
        return reconcile.ends(FAILED, missing, early=True)
    if draft is None:
        reconcile.unchecked.append(Unchecked(_SUBJECT, f"draft Model {name} isn't known"))
        return None
    if is_later(draft, reconcile.service):
        reconcile.failed_before = missing
    state = model_state(as_stored(draft, namespace), reconcile.operator, facts)
    reconcile.unknown(state, name)
    if state.phase == READY:
        return None
    return _awaits(reconcile, f"Waiting for draft model {quote(name)} to be Ready", state)


def _awaits(reconcile: _Reconcile, message: str, state: ModelState) -> Prediction:
    """The end of the reconcile if a Model isn't ready: it has failed, or it will get ready by itself."""
    why = f"{message}: {state.message}"
    return reconcile.ends(PENDING, message, failure=why if state.problem else "", waits="" if state.problem else why, early=True)


def _with_model(reconcile: _Reconcile, work: Workload) -> Prediction:
    """The reconcile of a service whose Models are ready."""
    stored = storage(work.model, work.service, work.operator, work.facts)
    started = launch(work.model, work.service, work.operator, work.gpus, stored)
    reconcile.storage, reconcile.launch = stored, started
    reconcile.objects += stored.claims
    reconcile.events = stored.events
    if stored.failure:
        return reconcile.ends(FAILED, stored.failure)
    reconcile.events = (*stored.events, *started.warnings)
    if work.is_metal:
        reconcile.events = (*stored.events, *(event for event in started.warnings if event.reason == _WITHOUT_PODS))
        return reconcile.ends(phase_of(work.spec, work.operator, reconcile.replicas), endpoint=_endpoint(work))
    reconcile.conditions = started.conditions
    for prefix, check in (("Invalid gpuSharing", gpu_shares.problem), ("Invalid parallelism", parallelism.problem)):
        problem = check(work.model, work.service, work.operator, work.gpus)
        if problem:
            return reconcile.ends(FAILED, f"{prefix}: {problem}")
    panic = unreadable(part(work.spec, "resources"))
    return reconcile.breaks_off(panic) if panic else _with_pods(reconcile, work, stored, started)


def _with_pods(reconcile: _Reconcile, work: Workload, stored: Storage, started: Launch) -> Prediction:
    """The reconcile of a service that gets a Deployment."""
    made = deployment.manifest(work, stored, started, reconcile.replicas, reconcile.pool)
    refusal = deployment_refusal(made)
    if refusal:
        return reconcile.refused("Deployment", refusal)
    reconcile.objects.append(made)
    before_pods = service.manifest(work, started.port)
    if not service.is_others(work):
        refusal = service.refusal(work, before_pods)
        if refusal:
            return reconcile.refused("Service", refusal)
        reconcile.objects.append(before_pods)
    if autoscaler.is_scaled(work):
        refusal = autoscaler.unreadable(work)
        if refusal:
            return reconcile.breaks_off(refusal)
        scaler = autoscaler.manifest(work)
        refusal = autoscaler_refusal(scaler)
        if refusal:
            reconcile.is_refused = True
            return reconcile.breaks_off(refusal)
        reconcile.objects.append(scaler)
    return reconcile.ends(phase_of(work.spec, work.operator, reconcile.replicas), endpoint=_endpoint(work))


def _endpoint(work: Workload) -> str:
    return service.endpoint(work.spec, work.name, work.namespace)
