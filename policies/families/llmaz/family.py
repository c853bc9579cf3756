"""The llmaz family: its kinds and what it fills in."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.facts.kept_parts import only_read
from weighbridge.policies.families import foreign_autoscalers
from weighbridge.policies.families.family import Family, Fill, Influence, Kind
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.go_round_trip import Rewritten
from weighbridge.policies.families.llmaz import GROUPS, kinds
from weighbridge.policies.families.llmaz.operator import CONFIG, NAMESPACE, keep
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.request import Request

# Each function imports its module for the first object of its kind: a run on models alone doesn't import what services need.


def _fill_service(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.llmaz.fill.service import fill_service

    fill_service(mutation, request, facts, config)


def _fill_playground(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.llmaz.fill.playground import fill_playground

    fill_playground(mutation, request, facts, config)


def _predict_model(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmaz.predictions.model import predict

    return predict(request, facts, config)


def _predict_playground(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmaz.predictions.playground import predict

    return predict(request, facts, config)


def _predict_service(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmaz.predictions.service import predict

    return predict(request, facts, config)


def _predict_runtime(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.llmaz.predictions.model import predict_runtime

    return predict_runtime(request, facts, config)


def _rewrite(obj: JSONObject, schema: JSONObject) -> Rewritten:
    from weighbridge.policies.families.llmaz.upstream.rewrites import rewritten

    return rewritten(obj, schema)


def _goes_by(obj: JSONObject) -> Iterable[Hashable]:
    from weighbridge.policies.families.llmaz.predictions.dependents import goes_by

    return goes_by(obj)


def _keys(obj: JSONObject, facts: Facts) -> Iterable[Hashable]:
    from weighbridge.policies.families.llmaz.predictions.dependents import keys

    return keys(obj, facts)


FAMILY: Final = Family(
    name="llmaz",
    title="llmaz",
    kinds=(
        Kind(kinds.OPEN_MODEL, "openmodels", namespaced=False),
        Kind(kinds.PLAYGROUND, "playgrounds", scalable=True),
        Kind(kinds.SERVICE, "services", scalable=True),
        Kind(kinds.BACKEND_RUNTIME, "backendruntimes", namespaced=False),
    ),
    fill={"Playground": _fill_playground, "Service": _fill_service},
    fills=(
        Fill("Playground", "spec.backendRuntimeConfig.resources.limits", "weighbridge.policies.families.llmaz.fill.playground"),
        *(
            Fill("Service", f"spec.workloadTemplate.{template}.spec.{field}", "weighbridge.policies.families.llmaz.fill.service")
            for template in ("leaderTemplate", "workerTemplate")
            for field in ("schedulerName", "tolerations")
        ),
    ),
    rewrite=dict.fromkeys(("OpenModel", "Playground", "Service", "BackendRuntime"), _rewrite),
    package="weighbridge.policies.families.llmaz",
    upstreams=(Upstream("llmaz", "llmaz", GROUPS, "3c13ff3", "InftyAI/llmaz", date="2025-10-30"),),
    looks_up=(
        # For the settings of the controllers.
        Kind(GroupVersionKind("", "v1", "ConfigMap"), "configmaps", transform=keep, name=CONFIG, namespace=NAMESPACE),
        # For the Services that may have the name of the Service in front of the pods.
        Kind(
            GroupVersionKind("", "v1", "Service"),
            "services",
            transform=only_read("metadata.ownerReferences", "spec.ports.port", "spec.selector"),
        ),
        *foreign_autoscalers.KINDS,
    ),
    predict={
        "OpenModel": _predict_model,
        "Playground": _predict_playground,
        "Service": _predict_service,
        "BackendRuntime": _predict_runtime,
    },
    influences={
        **dict.fromkeys(("OpenModel", "ConfigMap"), tuple(Influence(kind, _goes_by, _keys) for kind in ("Playground", "Service"))),
        "BackendRuntime": (Influence("Playground", _goes_by, _keys),),
    },
    complete_groups=GROUPS,
    needed=Needed(
        entries=frozenset({"config.data", "PP", "TP"}),
        annotations=frozenset({kinds.SKIP_ANNOTATION}),
        # The runtime of a Playground that names none, and the ConfigMap.
        names=frozenset({CONFIG, kinds.DEFAULT_RUNTIME}),
    ),
)
