"""What the controller makes of a Playground: a Service of llmaz with the runtime's container, and where it is elastic an autoscaler.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.llmaz.fill.service import fill_service
from weighbridge.policies.families.llmaz.kinds import INFERENCE, PLAYGROUND, RUNNER, SERVICE, SKIP_ANNOTATION
from weighbridge.policies.families.llmaz.operator import SUBJECT
from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of, tables_of
from weighbridge.policies.families.llmaz.predictions.origins import values_of
from weighbridge.policies.families.llmaz.predictions.resources import merged
from weighbridge.policies.families.llmaz.predictions.runtime import arguments_of, config_named, config_names, rendered, variables_of
from weighbridge.policies.families.llmaz.predictions.service import PANIC_NO_CLAIM, PANIC_NO_HPA, Outcome, outcome_of
from weighbridge.policies.families.llmaz.predictions.stored import model_label, rewritten_values
from weighbridge.policies.families.llmaz.predictions.workload import PORT, twice
from weighbridge.policies.families.llmaz.subject.flavors import considered
from weighbridge.policies.families.llmaz.subject.service import Serving, serving_of
from weighbridge.policies.families.llmaz.subject.shipped_runtimes import shipped_runtime
from weighbridge.policies.families.prediction import Deferred, Prediction, Table, condition
from weighbridge.policies.ground.fields import items, part, text, text_map, texts, whole
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.autoscaling import autoscaler_refusal
from weighbridge.policies.schema.go_values import deep_copy

_GRACE: Final = 130
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108
_PENDING: Final = condition("Progressing", "True", "Pending", "Waiting for inference Service ready")
_NO_MODEL: Final = condition("Progressing", "False", "AbortProcessing", "Waiting for model creation")
_NAME_TAKEN: Final = condition("Progressing", "False", "AbortProcessing", "Playground owns the same name with an existing Service")


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a Playground."""
    serving = serving_of(request, facts, config)
    if serving is None:
        return None
    serving = with_shipped(serving)
    flavors = considered(serving.claims, serving.flavors)
    outcome, told = _outcome(serving, facts, config)
    whole = f"Playground/{serving.name}"
    return Prediction(
        status={"conditions": [told], "replicas": 0} if told else {},
        objects=outcome.objects,
        values=Deferred(
            lambda: [*rewritten_values(request, facts, whole), model_label(serving.claims, whole), *values_of(serving, outcome.objects)]
        ),
        settings=serving.operator.settings(),
        failure=outcome.failure,
        weight=outcome.weight,
        unchecked=[*_assumed(serving), *outcome.unchecked],
        tables=lambda: [
            *_configurations(serving),
            *tables_of(fits_of(flavors, facts, config, serving.namespace, serving.own_limits), serving.operator.scheduler),
        ],
    )


def with_shipped(serving: Serving) -> Serving:
    """The reading with the runtime that llmaz ships under the name, where it can't be told which runtimes there are."""
    if serving.choice is None or serving.runtime is not None or serving.is_runtime_missing is not None:
        return serving
    shipped = shipped_runtime(serving.choice.runtime)
    return replace(serving, runtime=shipped, is_shipped=True) if shipped is not None else serving


def _assumed(serving: Serving) -> list[Unchecked]:
    if not serving.is_shipped or serving.choice is None:
        return []
    reason = f"BackendRuntime {serving.choice.runtime} isn't known; the one of llmaz's chart is taken, without its scripts"
    return [Unchecked(SUBJECT, reason)]


def _configurations(serving: Serving) -> list[Table]:
    """The recommended configurations of the runtime as a table, with which is taken, and why."""
    if serving.choice is None or serving.runtime is None:
        return []
    choice = serving.choice
    why = "configName names it" if choice.names_config else "it follows from the roles of the models"
    rows = [
        (name, "taken" if name == choice.config else "left out", why if name == choice.config else f"{choice.config} is looked for")
        for name in config_names(serving.runtime)
    ]
    whose = " of llmaz's chart, since the cluster's isn't known" if serving.is_shipped else ""
    title = f"Configurations of BackendRuntime {choice.runtime}{whose}"
    return [Table(title, ("configuration", "verdict", "because"), rows)] if rows else []


def _outcome(serving: Serving, facts: Facts, config: Configuration) -> tuple[Outcome, JSONObject]:
    """What is made, and the condition that is written; an empty one where the controller fails before."""
    if is_name_taken(serving, facts):
        return Outcome(failure=_NAME_TAKEN["message"]), _NAME_TAKEN
    if serving.missing:
        return Outcome(failure=f'OpenModel.llmaz.io "{serving.missing[0].name}" not found'), _NO_MODEL
    if serving.unknown:
        named = serving.unknown[0].name
        return Outcome(unchecked=[Unchecked(SUBJECT, f"OpenModel {named} isn't known")]), {}
    if not serving.claims.models:
        return Outcome(failure=f"panic: {PANIC_NO_CLAIM}"), {}
    service, trouble = service_of(serving)
    if service is None and serving.is_shipped:
        # The cluster's runtime may be another one.
        assumed = [Unchecked(SUBJECT, trouble.failure)] if trouble.failure else []
        return Outcome(unchecked=[*assumed, *trouble.unchecked]), {}
    if service is None:
        return trouble, {}
    if _is_refused(serving):
        return Outcome(
            failure='admission webhook "vservice.kb.io" denied the request: spec.modelClaims.models: Forbidden: main model is required'
        ), {}
    service = _filled(service, facts, config)
    below = outcome_of(service, serving)
    autoscaler, failure = autoscaler_of(serving)
    made = [service, *([autoscaler] if autoscaler else []), *below.objects]
    weight = Severity.ERROR if failure else below.weight
    return Outcome(made, failure or below.failure, weight=weight, unchecked=below.unchecked), {} if failure else _PENDING


def _filled(service: JSONObject, facts: Facts, config: Configuration) -> JSONObject:
    """The Service with what is filled into it as into any other when the controller writes it."""
    mutation = Mutation(deep_copy(service))
    request = Request("", Operation.CREATE, SERVICE, mutation.object, namespace=namespace_of(service), name=name_of(service))
    fill_service(mutation, request, facts, config)
    return mutation.object


def is_name_taken(serving: Serving, facts: Facts) -> bool:
    """Whether a Service of llmaz stands under the Playground's name and belongs to somebody else."""
    found = facts.objects.get(INFERENCE, SERVICE.kind, serving.namespace, serving.name)
    if not isinstance(found, dict):
        return False
    owners = items(metadata_of(found), "ownerReferences")
    return not any(text(owner, "kind") == PLAYGROUND.kind and text(owner, "name") == serving.name for owner in owners)


def service_of(serving: Serving) -> tuple[JSONObject | None, Outcome]:
    """The Service that a Playground is turned into, or why it isn't."""
    choice = serving.choice
    if choice is None or serving.runtime is None:
        name = choice.runtime if choice is not None else ""
        if serving.is_runtime_missing or not name:
            return None, Outcome(failure=f'BackendRuntime.inference.llmaz.io "{name}" not found')
        return None, Outcome(unchecked=[Unchecked(SUBJECT, f"BackendRuntime {name} isn't known")])
    recommended = serving.config
    if recommended is None:
        return None, Outcome(failure=f"failed to parse backendRuntime {choice.runtime}")
    sources = serving.sources
    if not sources:
        return None, Outcome(unchecked=[Unchecked(SUBJECT, "the source of a model can't be read")])
    arguments, wrong = rendered(arguments_of(recommended), variables_of(sources, skips=serving.skips))
    if wrong:
        return None, Outcome(failure=f"missing flag or the flag has format error: {wrong}")
    own = spec_of(serving.object).get("backendRuntimeConfig")
    pod = _pod(serving.runtime, recommended, own if isinstance(own, dict) else None, [*arguments, *texts(own, "args")])
    if again := twice(items(pod["containers"][0], "env")):
        what = f"{serving.namespace}/{serving.name}; {INFERENCE}/v1alpha1, Kind={SERVICE.kind}"
        path = f'.spec.workloadTemplate.workerTemplate.spec.containers[name="{RUNNER}"].env'
        told = f'failed to create typed patch object ({what}): {path}: duplicate entries for key [name="{again}"]'
        return None, Outcome(failure=told)
    # Handed on with whatever value it has, though only `true` counts.
    skip = text_map(metadata_of(serving.object), "annotations").get(SKIP_ANNOTATION)
    annotations = {} if skip is None else {"annotations": {SKIP_ANNOTATION: skip}}
    claims: JSONObject = {"models": [{"name": model.name, "role": model.role or "main"} for model in serving.claims.models]}
    if serving.claims.flavors:
        claims["inferenceFlavors"] = list(serving.claims.flavors)
    spec = {
        "modelClaims": claims,
        "replicas": whole(spec_of(serving.object), "replicas", 1),
        "rolloutStrategy": {"type": "RollingUpdate"},
        "workloadTemplate": {"size": 1, "restartPolicy": "RecreateGroupOnPodRestart", "workerTemplate": {"spec": pod}},
    }
    metadata = {"name": serving.name, "namespace": serving.namespace, **annotations}
    return {"apiVersion": f"{INFERENCE}/v1alpha1", "kind": SERVICE.kind, "metadata": metadata, "spec": spec}, Outcome()


def _pod(runtime: JSONObject, recommended: JSONObject, given: JSONObject | None, arguments: list[str]) -> JSONObject:
    """The pod's spec: one container, of the runtime, with what the Playground says over it."""
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
        **{
            name: spec[name]
            for name in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")
            if isinstance(spec.get(name), dict)
        },
    }
    pod: JSONObject = {"terminationGracePeriodSeconds": _GRACE}
    shared = own.get("sharedMemorySize", recommended.get("sharedMemorySize"))
    if shared is not None:
        container["volumeMounts"] = [{"name": "dshm", "mountPath": _SHARED_MEMORY}]
        pod["volumes"] = [{"name": "dshm", "emptyDir": {"medium": "Memory", "sizeLimit": shared}}]
    return {"containers": [{name: value for name, value in container.items() if value or name == "name"}], **pod}


def _environment(spec: JSONObject, own: JSONObject | None) -> list[JSONObject]:
    """The runtime's variables; where the Playground configures its runtime at all, by name and with its own over them."""
    if own is None:
        return items(spec, "envs")
    found = {text(variable, "name"): variable for variable in (*items(spec, "envs"), *items(own, "envs"))}
    return list(found.values())


def _is_refused(serving: Serving) -> bool:
    """Whether llmaz's own webhook refuses the Service: with drafts alone."""
    return serving.claims.has_draft and sum(model.is_main for model in serving.claims.models) != 1


def trigger_of(serving: Serving) -> tuple[JSONObject | None, bool]:
    """What scales an elastic Playground, and whether a trigger is there that names nothing, at which the controller panics.

    The runtime's trigger is looked for under the name that follows from the roles, whatever the Playground names.
    """
    elastic = part(spec_of(serving.object), "elasticConfig")
    found = elastic.get("scaleTrigger")
    if not isinstance(found, dict) and serving.runtime is not None:
        found = (config_named(serving.runtime, serving.claims.config_name) or {}).get("scaleTrigger")
    if not isinstance(found, dict):
        return None, False
    hpa = found.get("hpa")
    return (hpa, False) if isinstance(hpa, dict) else (None, True)


def autoscaler_of(serving: Serving) -> tuple[JSONObject | None, str]:
    """The autoscaler of an elastic Playground, and why it isn't made."""
    spec = spec_of(serving.object)
    if not isinstance(spec.get("elasticConfig"), dict):
        return None, ""
    hpa, panics = trigger_of(serving)
    if panics:
        return None, f"panic: {PANIC_NO_HPA}"
    if hpa is None:
        return None, ""
    elastic = part(spec, "elasticConfig")
    found = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": serving.name, "namespace": serving.namespace},
        "spec": {
            "scaleTargetRef": {"apiVersion": f"{INFERENCE}/v1alpha1", "kind": PLAYGROUND.kind, "name": serving.name},
            "minReplicas": whole(elastic, "minReplicas", 1),
            "maxReplicas": whole(elastic, "maxReplicas"),
            **{name: hpa[name] for name in ("metrics", "behavior") if hpa.get(name)},
        },
    }
    refused = autoscaler_refusal(found)
    return (None, refused) if refused else (found, "")
