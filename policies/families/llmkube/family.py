"""The LLMKube family: its kinds and what it fills in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.facts.kept_parts import only_read
from weighbridge.policies.families import foreign_autoscalers
from weighbridge.policies.families.family import Family, Fill, Influence, Kind, by_what_is_installed
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.llmkube import GROUPS, versions
from weighbridge.policies.families.llmkube.operator import PROGRAM, operator_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.request import Request

# Each function imports its module when the first object of its kind comes: linting a Model doesn't wait for what services need.


def _fill_model(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.llmkube.fill.model_fields import fill

    fill(mutation, request, facts, config)


def _fill_service(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.llmkube.fill.service_fields import fill

    fill(mutation, request, facts, config)


def _services_of(request: Request, facts: Facts) -> Iterable[JSONObject]:
    from weighbridge.policies.families.llmkube.subject.references import services_of

    return services_of(request.object, request.namespace, facts)


def _goes_by(kind: str) -> Callable[[JSONObject], Iterable[Hashable]]:
    """Gives the keys of what objects of a kind depend on."""

    def goes_by(obj: JSONObject) -> Iterable[Hashable]:
        from weighbridge.policies.families.llmkube.predictions.dependents import GOES_BY

        return GOES_BY[kind](obj)

    return goes_by


def _keys(kind: str) -> Callable[[JSONObject, Facts], Iterable[Hashable]]:
    """Gives the keys of what depends on objects of a kind."""

    def keys(obj: JSONObject, facts: Facts) -> Iterable[Hashable]:
        from weighbridge.policies.families.llmkube.predictions.dependents import KEYS

        return KEYS[kind](obj, facts)

    return keys


_ON: Final = {kind: _goes_by(kind) for kind in ("InferenceService", "ModelRouter", "LoRAAdapter", "ModelPool", "GPUQuota")}


def _influence(kind: str, *dependents: str) -> tuple[Influence, ...]:
    """The influences of a kind; only services and routers have pods."""
    keys = _keys(kind)
    return tuple(Influence(one, _ON[one], keys, can_break=one in ("InferenceService", "ModelRouter")) for one in dependents)


def _predict_model(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmkube.predictions.model.reconcile import predict

    return predict(request, facts, config)


def _predict_service(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmkube.predictions.predicted_service import service_of
    from weighbridge.policies.families.llmkube.predictions.service.add_ons import with_add_ons
    from weighbridge.policies.families.llmkube.predictions.service.reconcile import predict
    from weighbridge.policies.families.llmkube.subject.pool_members import pool_share

    # The rules on the same request find the prediction there.
    service = service_of(request, facts, config)
    share = pool_share(service.object, service.namespace, facts, config, service.operator)
    prediction = service.prediction if share is None else predict(request, facts, config, share).prediction
    return with_add_ons(prediction, service.object, service.model, service.operator, facts) if prediction is not None else None


def _predict_router(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmkube.predictions.router.reconcile import router

    return router(request, facts, config)


def _predict_pool(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmkube.predictions.pool import pool

    return pool(request, facts, config)


def _predict_adapter(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmkube.predictions.lora import lora

    return lora(request, facts, config)


def _predict_quota(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmkube.predictions.quota import quota

    return quota(request, facts, config)


#: Foreman runs agents that write code; its objects serve no models.
_FOREMAN: Final = tuple(
    Kind(GroupVersionKind("foreman.llmkube.dev", "v1alpha1", kind), f"{kind.lower()}s", namespaced=namespaced, is_checked_only=True)
    for kind, namespaced in (
        ("Agent", True),
        ("AgenticTask", True),
        ("Workload", True),
        ("AgentRelease", False),
        ("FleetNode", False),
        ("ModelProfile", False),
    )
)
#: Arguments of engines that rules read, in addition to those that are amounts.
_CHOICES: Final = frozenset({
    "--host", "--hostname", "--device", "--dev", "--split-mode", "--sm", "--quantization", "--q", "--quantize",
    "--distributed-executor-backend",
})  # fmt: skip

#: Routes for a service's gateway, and objectives for its SLO.
_ADD_ONS: Final = ("aigateway.envoyproxy.io", "pyrra.dev")
#: The kinds with a prediction.
_PREDICTED: Final = ("Model", "InferenceService", "GPUQuota", "LoRAAdapter", "ModelPool", "ModelRouter")

FAMILY: Final = Family(
    name="llmkube",
    title="LLMKube",
    kinds=(
        Kind(versions.MODEL, "models"),
        Kind(versions.INFERENCE_SERVICE, "inferenceservices", scalable=True),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "GPUQuota"), "gpuquotas"),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "LoRAAdapter"), "loraadapters"),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelPool"), "modelpools"),
        Kind(GroupVersionKind("inference.llmkube.dev", "v1alpha1", "ModelRouter"), "modelrouters"),
        Kind(GroupVersionKind("federation.llmkube.dev", "v1alpha1", "FederatedCluster"), "federatedclusters", namespaced=False),
        *_FOREMAN,
    ),
    fill={"Model": _fill_model, "InferenceService": _fill_service},
    fills=tuple(
        Fill(kind, field, f"weighbridge.policies.families.llmkube.fill.{module}")
        for kind, field, module in (
            ("Model", "spec.hardware.accelerator", "model_fields"),
            ("Model", "spec.hardware.gpu.resourceName", "model_fields"),
            ("Model", "spec.prefetchTolerations", "prefetch"),
            ("InferenceService", "spec.image", "images"),
            ("InferenceService", "spec.tolerations", "tolerations"),
            ("InferenceService", "spec.podSecurityContext", "render_group"),
            ("InferenceService", "spec.runtimeClassName", "service_fields"),
            ("InferenceService", "spec.endpoint.port", "ports"),
            ("InferenceService", "spec.skipModelInit", "model_download"),
        )
    ),
    package="weighbridge.policies.families.llmkube",
    upstreams=(Upstream("llmkube", "LLMKube", GROUPS, "v0.9.19", "defilantech/LLMKube"),),
    looks_up=(
        Kind(GroupVersionKind("", "v1", "Namespace"), "namespaces", namespaced=False),
        # For the operator's settings, the node ports that are taken, and the GPUs that a namespace may have.
        Kind(GroupVersionKind("apps", "v1", "Deployment"), "deployments", transform=PROGRAM.keep),
        Kind(GroupVersionKind("", "v1", "Service"), "services", transform=only_read("spec.ports.nodePort")),
        *foreign_autoscalers.KINDS,
    ),
    add_ons=_ADD_ONS,
    predict={
        "Model": _predict_model,
        "InferenceService": _predict_service,
        "GPUQuota": _predict_quota,
        "LoRAAdapter": _predict_adapter,
        "ModelPool": _predict_pool,
        "ModelRouter": _predict_router,
    },
    complete_groups=GROUPS,
    versions=("v0.9.5", "v0.9.19"),
    version_of=versions.version_of,
    operator=operator_of,
    dependents={"Model": _services_of},
    influences={
        **by_what_is_installed((*GROUPS, *_ADD_ONS), *_PREDICTED),
        **{
            kind: _influence(kind, *dependents)
            for kind, *dependents in (
                ("Model", "InferenceService", "ModelPool", "GPUQuota"),
                ("InferenceService", "ModelRouter", "LoRAAdapter", "ModelPool", "GPUQuota"),
                ("ModelPool", "InferenceService", "ModelRouter"),
                ("PersistentVolumeClaim", "InferenceService"),
            )
        },
    },
    needed=Needed(
        fields=frozenset(
            {
                *("completionUSD", "defaultRoute", "issuer", "loraModules", "maxUSD", "mmproj", "promptUSD", "recursiveReadOnly", "sha256"),
                *("targetAverageValue", "team", "teamClaim"),
            }
        ),
        references=frozenset({"default", "pendingMember", "residentMember"}),
        values=PROGRAM.reads | _CHOICES,
    ),
)
