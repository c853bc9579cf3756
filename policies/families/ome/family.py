"""The OME family: its kinds, and what is predicted for them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.blanks import Needed
from weighbridge.policies.families import foreign_autoscalers
from weighbridge.policies.families.family import Family, Fill, Influence, Kind, by_what_is_installed
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.go_round_trip import Rewritten
from weighbridge.policies.families.ome import GROUPS, benchmark_settings, operator
from weighbridge.policies.families.ome.kinds import gvk_of
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.families.upstream_versions import Upstream
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.request import Request

# Each function imports its module when the first object of its kind comes: a lint of models doesn't wait for what services need.


def _predict_service(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.ome.predictions.service import predict

    return predict(request, facts, config)


def _predict_benchmark(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    from weighbridge.policies.families.ome.predictions.benchmark import predict

    return predict(request, facts, config)


def _service_goes_by(service: JSONObject) -> Iterable[Hashable]:
    from weighbridge.policies.families.ome.predictions.dependents import service_goes_by

    return service_goes_by(service)


def _benchmark_goes_by(job: JSONObject) -> Iterable[Hashable]:
    from weighbridge.policies.families.ome.predictions.dependents import benchmark_goes_by

    return benchmark_goes_by(job)


def _benchmark_keys(obj: JSONObject, facts: Facts) -> Iterable[Hashable]:
    from weighbridge.policies.families.ome.predictions.dependents import benchmark_keys

    return benchmark_keys(obj, facts)


def _keys(obj: JSONObject, facts: Facts) -> Iterable[Hashable]:
    from weighbridge.policies.families.ome.predictions.dependents import keys

    return keys(obj, facts)


def _fill_service(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    from weighbridge.policies.families.ome.fill.service_fields import fill

    fill(mutation, request, facts, config)


def _rewrite_service(service: JSONObject, schema: JSONObject) -> Rewritten:
    from weighbridge.policies.families.ome.upstream.rewrites import rewrite

    return rewrite(service, schema)


def _filled_fields() -> Iterator[tuple[str, str]]:
    """The fields of a service that are filled in, each with the module whose docstring is its page."""
    yield "spec.model.kind", "model_kind"
    for name in ("engine", "decoder", "router"):
        yield f"spec.{name}.runner.image", "runner_images"
        yield f"spec.{name}.runner.name", "runner_names"
    for name in ("engine", "decoder"):
        yield f"spec.{name}.tolerations", "tolerations"
        for role in ("leader", "worker"):
            yield f"spec.{name}.{role}.runner.name", "runner_names"
            yield f"spec.{name}.{role}.tolerations", "tolerations"


_ON_SERVICES: Final = Influence("InferenceService", _service_goes_by, _keys)
_ON_BENCHMARKS: Final = Influence("BenchmarkJob", _benchmark_goes_by, _benchmark_keys)

_ADD_ONS: Final = ("keda.sh", "leaderworkerset.x-k8s.io", "networking.istio.io", "ray.io", "serving.knative.dev")

FAMILY: Final = Family(
    name="ome",
    title="OME",
    kinds=(
        Kind(gvk_of("InferenceService"), "inferenceservices"),
        Kind(gvk_of("BaseModel"), "basemodels"),
        Kind(gvk_of("ClusterBaseModel"), "clusterbasemodels", namespaced=False),
        Kind(gvk_of("ServingRuntime"), "servingruntimes"),
        Kind(gvk_of("ClusterServingRuntime"), "clusterservingruntimes", namespaced=False),
        Kind(gvk_of("AcceleratorClass"), "acceleratorclasses", namespaced=False),
        Kind(gvk_of("FineTunedWeight"), "finetunedweights", namespaced=False),
        Kind(gvk_of("BenchmarkJob"), "benchmarkjobs"),
    ),
    fill={"InferenceService": _fill_service},
    fills=tuple(Fill("InferenceService", field, f"weighbridge.policies.families.ome.fill.{module}") for field, module in _filled_fields()),
    rewrite={"InferenceService": _rewrite_service},
    # The claims for the results of benchmarks.
    looks_up=(
        Kind(GroupVersionKind("", "v1", "PersistentVolumeClaim"), "persistentvolumeclaims"),
        # The settings of the manager, and of the pods of benchmarks.
        *(
            Kind(GroupVersionKind("", "v1", "ConfigMap"), "configmaps", transform=read.keep, name=read.CONFIG, namespace=read.NAMESPACE)
            for read in (operator, benchmark_settings)
        ),
        *foreign_autoscalers.KINDS,
    ),
    add_ons=_ADD_ONS,
    package="weighbridge.policies.families.ome",
    upstreams=(Upstream("ome", "OME", GROUPS, "v0.1.5", "sgl-project/ome", crds="config/crd/full"),),
    predict={"InferenceService": _predict_service, "BenchmarkJob": _predict_benchmark},
    influences={
        **dict.fromkeys(("ServingRuntime", "ClusterServingRuntime", "AcceleratorClass", "FineTunedWeight"), (_ON_SERVICES,)),
        **dict.fromkeys(("BaseModel", "ClusterBaseModel", "ConfigMap"), (_ON_SERVICES, _ON_BENCHMARKS)),
        "PersistentVolumeClaim": (_ON_BENCHMARKS,),
        **by_what_is_installed((*GROUPS, *_ADD_ONS), "InferenceService", "BenchmarkJob"),
        "InferenceService": (Influence("BenchmarkJob", _benchmark_goes_by, _keys),),
    },
    complete_groups=GROUPS,
    needed=Needed(
        fields=frozenset(
            {
                *(
                    "acceleratorClass",
                    "acceleratorClasses",
                    "additionalComponents",
                    "architectureFamilies",
                    "authModes",
                    "baseModel",
                    "className",
                ),
                *("deploymentMode", "excludedClasses", "family", "features", "fineTunedWeights", "library", "max", "min"),
                *(
                    "minArchitectureVersion",
                    "modelArchitecture",
                    "modelParameterSize",
                    "preferredPrecisions",
                    "protocolVersion",
                    "protocolVersions",
                ),
                *("additionalRequestParams.ignore_eos", "additionalRequestParams.temperature"),
                *("customPromQuery", "promServerAddress", "scalingOperator", "scalingThreshold"),
                *(
                    "annotations.autoscaling.keda.sh/operator",
                    "annotations.autoscaling.keda.sh/prometheus.serverAddress",
                    "annotations.autoscaling.keda.sh/threshold",
                    "annotations.kueue-enabled",
                    "annotations.ome.io/accelerator-class",
                    "annotations.ome.io/autoscalerClass",
                    "annotations.ome.io/dedicated-ai-cluster",
                    "annotations.ome.io/deploymentMode",
                    "annotations.ome.io/inject-model-init",
                    "annotations.ome.io/inject-serving-sidecar",
                    "annotations.ome.io/metrics",
                    "annotations.ome.io/targetUtilizationPercentage",
                    "annotations.ome.oracle.com/skip-config-parsing",
                    "annotations.rdma.ome.io/auto-inject",
                    "annotations.rdma.ome.io/profile",
                ),
                *("quantization", "requiredFeatures", "servingMode", "storageUri", "strategy", "task", "trafficScenarios", "vendor"),
            }
        ),
        values=frozenset({"DEPLOYMENT_MODE", "PROTOCOL_VERSION"}),
        # The settings of the manager and of benchmarks.
        entries=frozenset((*operator.KEYS, benchmark_settings.KEY)),
        names=frozenset({operator.CONFIG, benchmark_settings.CONFIG}),
        references=frozenset(
            {
                "acceleratorClass",
                "acceleratorClasses",
                "annotations.ome.io/accelerator-class",
                "annotations.ome.io/dedicated-ai-cluster",
                "baseModel",
                "excludedClasses",
                "fineTunedWeights",
            }
        ),
    ),
)
