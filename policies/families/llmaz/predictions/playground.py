"""The Service of llmaz that the controller creates for a Playground, with the runtime's container, and the autoscaler of an elastic one.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from typing import Any, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.llmaz.kinds import INFERENCE, PLAYGROUND, RUNNER, SERVICE, SKIP_ANNOTATION
from weighbridge.policies.families.llmaz.operator import SUBJECT
from weighbridge.policies.families.llmaz.predictions.flavor_fit import claimed_fits, tables_of
from weighbridge.policies.families.llmaz.predictions.go_zeros import without_zeros
from weighbridge.policies.families.llmaz.predictions.origins import values_of
from weighbridge.policies.families.llmaz.predictions.resources import merged, printed
from weighbridge.policies.families.llmaz.predictions.service import PANIC_NO_CLAIM, PANIC_NO_HPA, ServiceOutcome, outcome_of
from weighbridge.policies.families.llmaz.predictions.stored import model_label
from weighbridge.policies.families.llmaz.predictions.typed_patch import patch_refusal
from weighbridge.policies.families.llmaz.predictions.workload import PORT, with_scheduler
from weighbridge.policies.families.llmaz.subject.owners import is_controlled_by
from weighbridge.policies.families.llmaz.subject.runtime import arguments_of, config_names, rendered, trigger_named, variables_of
from weighbridge.policies.families.llmaz.subject.service import Service, service_of
from weighbridge.policies.families.llmaz.subject.shipped_runtimes import shipped_runtime
from weighbridge.policies.families.llmaz.upstream.rewrites import encoded
from weighbridge.policies.families.prediction import Deferred, Prediction, Table, condition
from weighbridge.policies.families.references import fill
from weighbridge.policies.ground.fields import items, part, text, text_map, texts, whole
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.defaults import scaler_spec
from weighbridge.policies.pods.validation.autoscaler import autoscaler_refusal
from weighbridge.policies.schema.go_values import deep_copy

_GRACE: Final = 130
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_PENDING: Final = condition("Progressing", "True", "Pending", "Waiting for inference Service ready")
_NO_MODEL: Final = condition("Progressing", "False", "AbortProcessing", "Waiting for model creation")
_NAME_TAKEN: Final = condition("Progressing", "False", "AbortProcessing", "Playground owns the same name with an existing Service")


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a Playground."""
    service = service_of(request, facts, config)
    if service is None:
        return None
    service = with_shipped(service)
    outcome, written = _outcome(service, facts, config)
    whole = f"Playground/{service.name}"
    return Prediction(
        status={"conditions": [written], "replicas": 0} if written else {},
        objects=outcome.objects,
        values=Deferred(lambda: [model_label(service.claims, whole), *values_of(service, outcome.objects)]),
        settings=service.operator.settings(),
        failure=outcome.failure,
        weight=outcome.weight,
        unchecked=[*_assumed(service), *outcome.unchecked],
        tables=lambda: [
            *_configurations(service),
            *tables_of(claimed_fits(service, facts, config), service.operator.scheduler),
        ],
    )


def with_shipped(service: Service) -> Service:
    """The Playground with the runtime that llmaz ships under the name, if the cluster's runtimes aren't known."""
    if not service.is_playground or service.runtime is not None or service.is_runtime_missing is not None:
        return service
    shipped = shipped_runtime(service.choice.runtime)
    return replace(service, runtime=shipped, is_shipped=True) if shipped is not None else service


def _assumed(service: Service) -> list[Unchecked]:
    if not service.is_shipped:
        return []
    reason = f"BackendRuntime {service.choice.runtime} isn't known; the one of llmaz's chart is taken, without its scripts"
    return [Unchecked(SUBJECT, reason)]


def _configurations(service: Service) -> list[Table]:
    """A table of the runtime's recommended configurations, with the chosen one and the reason."""
    if service.runtime is None:
        return []
    choice = service.choice
    why = "configName names it" if choice.names_config else "it follows from the roles of the models"
    rows = [
        (name, "taken" if name == choice.config else "left out", why if name == choice.config else f"{choice.config} is looked for")
        for name in config_names(service.runtime)
    ]
    whose = " of llmaz's chart, since the cluster's isn't known" if service.is_shipped else ""
    title = f"Configurations of BackendRuntime {choice.runtime}{whose}"
    return [Table(title, ("configuration", "verdict", "because"), rows)] if rows else []


def _outcome(service: Service, facts: Facts, config: Configuration) -> tuple[ServiceOutcome, JSONObject]:
    """What the controller creates, and the condition that it writes; an empty condition if it fails before."""
    if is_name_taken(service, facts):
        return ServiceOutcome(failure=_NAME_TAKEN["message"]), _NAME_TAKEN
    if service.missing:
        return ServiceOutcome(failure=f'OpenModel.llmaz.io "{service.missing[0].name}" not found'), _NO_MODEL
    if service.unknown:
        named = service.unknown[0].name
        return ServiceOutcome(unchecked=[Unchecked(SUBJECT, f"OpenModel {named} isn't known")]), {}
    if not service.claims.models:
        # The controller looks for the runtime first.
        return ServiceOutcome(failure=_runtime_not_found(service) or f"panic: {PANIC_NO_CLAIM}"), {}
    manifest, trouble = created_service(service)
    if manifest is None and service.is_shipped:
        # The cluster's runtime may be another one.
        assumed = [Unchecked(SUBJECT, trouble.failure)] if trouble.failure else []
        return ServiceOutcome(unchecked=[*assumed, *trouble.unchecked]), {}
    if manifest is None:
        return trouble, {}
    if _is_refused(service):
        return ServiceOutcome(
            failure='admission webhook "vservice.kb.io" denied the request: spec.modelClaims.models: Forbidden: main model is required'
        ), {}
    manifest = _filled(manifest, facts, config)
    below = outcome_of(manifest, service, facts)
    autoscaler, failure = autoscaler_of(service)
    if not service.operator.trouble:
        manifest = _scheduled(manifest, service)
    made = [manifest, *([autoscaler] if autoscaler else []), *below.objects]
    weight = Severity.ERROR if failure else below.weight
    return ServiceOutcome(made, failure or below.failure, weight=weight, unchecked=below.unchecked), {} if failure else _PENDING


def _filled(manifest: JSONObject, facts: Facts, config: Configuration) -> JSONObject:
    """The Service with the values that Weighbridge fills in when the controller writes it."""
    mutation = Mutation(deep_copy(manifest))
    request = Request("", Operation.CREATE, SERVICE, mutation.object, namespace=namespace_of(manifest), name=name_of(manifest))
    fill(mutation, request, facts, config)
    return mutation.object


def _scheduled(manifest: JSONObject, service: Service) -> JSONObject:
    """The Service with the scheduler that the controller of Services then writes into it."""
    spec = spec_of(manifest)
    template = part(spec, "workloadTemplate")
    template = {**template, "workerTemplate": with_scheduler(part(template, "workerTemplate"), service.operator)}
    return {**manifest, "spec": {**spec, "workloadTemplate": template}}


def is_name_taken(service: Service, facts: Facts) -> bool:
    """Whether a Service of llmaz has the Playground's name and another owner, or none."""
    found = facts.objects.get(INFERENCE, SERVICE.kind, service.namespace, service.name)
    if not isinstance(found, dict):
        return False
    return not is_controlled_by(found, PLAYGROUND.kind, service.name)


def _runtime_not_found(service: Service) -> str:
    """The controller's message if the runtime doesn't exist; empty if it does, or if that isn't known."""
    name = service.choice.runtime
    is_missing = service.runtime is None and (service.is_runtime_missing or not name)
    return f'BackendRuntime.inference.llmaz.io "{name}" not found' if is_missing else ""


def created_service(service: Service) -> tuple[JSONObject | None, ServiceOutcome]:
    """The Service that the controller creates for a Playground, or why it creates none."""
    choice = service.choice
    if not_found := _runtime_not_found(service):
        return None, ServiceOutcome(failure=not_found)
    if service.runtime is None:
        return None, ServiceOutcome(unchecked=[Unchecked(SUBJECT, f"BackendRuntime {choice.runtime} isn't known")])
    recommended = service.config
    if recommended is None:
        return None, ServiceOutcome(failure=f"failed to parse backendRuntime {choice.runtime}")
    sources = service.sources
    if not sources or len(sources) < len(service.claims.models):
        return None, ServiceOutcome(unchecked=[Unchecked(SUBJECT, "the source of a model can't be read")])
    arguments, wrong = rendered(arguments_of(recommended), variables_of(sources, skips=service.skips))
    if wrong:
        return None, ServiceOutcome(failure=f"missing flag or the flag has format error: {wrong}")
    own = spec_of(service.object).get("backendRuntimeConfig")
    pod = _pod(service.runtime, recommended, own if isinstance(own, dict) else None, [*arguments, *texts(own, "args")])
    template, kind = {"spec": without_zeros(pod)}, f"{INFERENCE}/v1alpha1, Kind={SERVICE.kind}"
    if refused := patch_refusal(service.namespace, service.name, kind, [(".spec.workloadTemplate.workerTemplate", template)]):
        return None, ServiceOutcome(failure=refused)
    # The controller copies any value of the annotation, though only `true` has an effect.
    skip = text_map(metadata_of(service.object), "annotations").get(SKIP_ANNOTATION)
    annotations = {} if skip is None else {"annotations": {SKIP_ANNOTATION: skip}}
    claims: JSONObject = {"models": [{"name": model.name, "role": model.role or "main"} for model in service.claims.models]}
    if service.claims.flavors:
        claims["inferenceFlavors"] = list(service.claims.flavors)
    spec = {
        "modelClaims": claims,
        "replicas": whole(spec_of(service.object), "replicas", 1),
        "rolloutStrategy": {"type": "RollingUpdate"},
        "workloadTemplate": {"size": 1, "restartPolicy": "RecreateGroupOnPodRestart", "workerTemplate": template},
    }
    metadata = {"name": service.name, "namespace": service.namespace, **annotations}
    return {"apiVersion": f"{INFERENCE}/v1alpha1", "kind": SERVICE.kind, "metadata": metadata, "spec": spec}, ServiceOutcome()


def _pod(runtime: JSONObject, recommended: JSONObject, given: JSONObject | None, arguments: list[str]) -> JSONObject:
    """The pod's spec: the runtime's container with the Playground's values over it."""
    own = given or {}
    spec, version = spec_of(runtime), own.get("version")
    container: dict[str, Any] = {
        "name": RUNNER,
        "image": f"{text(spec, 'image')}:{version if isinstance(version, str) else text(spec, 'version')}",
        "command": list(texts(spec, "command")),
        "args": arguments,
        "env": _environment(spec, given),
        "ports": [{"name": "http", "containerPort": PORT, "protocol": "TCP"}],
        "resources": merged(own.get("resources"), part(recommended, "resources")),
        **{name: spec[name] for name in ("lifecycle", *_PROBES) if isinstance(spec.get(name), dict)},
    }
    pod: JSONObject = {"terminationGracePeriodSeconds": _GRACE}
    shared = own.get("sharedMemorySize")
    shared = printed(recommended.get("sharedMemorySize") if shared is None else shared)
    if shared is not None:
        container["volumeMounts"] = [{"name": "dshm", "mountPath": _SHARED_MEMORY}]
        pod["volumes"] = [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": shared}}]
    return {"containers": [{name: value for name, value in container.items() if value not in ([], {}) or name in _PROBES}], **pod}


def _environment(spec: JSONObject, own: JSONObject | None) -> list[JSONObject]:
    """The runtime's variables; those in the Playground's configuration of the runtime override them by name."""
    if own is None:
        return items(spec, "envs")
    found = {text(variable, "name"): variable for variable in (*items(spec, "envs"), *items(own, "envs"))}
    return list(found.values())


def _is_refused(service: Service) -> bool:
    """Whether llmaz's own webhook refuses the Service, since it has only drafts."""
    return service.claims.has_draft and len(service.claims.mains) != 1


def trigger_of(service: Service) -> tuple[JSONObject | None, bool]:
    """The trigger of an elastic Playground, and whether the controller panics because it is empty.

    The controller looks for the runtime's trigger under the name that follows from the roles, not under `configName`.
    """
    found = service.elastic.get("scaleTrigger")
    if not isinstance(found, dict) and service.runtime is not None:
        found = trigger_named(service.runtime, service.claims.config_name)
    if not isinstance(found, dict):
        return None, False
    hpa = found.get("hpa")
    return (hpa, False) if isinstance(hpa, dict) else (None, True)


def autoscaler_of(service: Service) -> tuple[JSONObject | None, str]:
    """The autoscaler of an elastic Playground, and why there is none."""
    if not isinstance(spec_of(service.object).get("elasticConfig"), dict):
        return None, ""
    hpa, panics = trigger_of(service)
    if panics:
        return None, f"panic: {PANIC_NO_HPA}"
    if hpa is None:
        return None, ""
    found: dict[str, Any] = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": service.name, "namespace": service.namespace},
        "spec": {
            "scaleTargetRef": {"apiVersion": f"{INFERENCE}/v1alpha1", "kind": PLAYGROUND.kind, "name": service.name},
            "minReplicas": whole(service.elastic, "minReplicas", 1),
            "maxReplicas": whole(service.elastic, "maxReplicas"),
            **{name: encoded(hpa[name]) for name in ("metrics", "behavior") if hpa.get(name) is not None},
        },
    }
    found["spec"] = scaler_spec(found["spec"])
    refused = autoscaler_refusal(found)
    return (None, refused) if refused else (found, "")
