"""What the rules of OME are written with: their subjects, and the words that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.benchmark.benchmark import Benchmark, benchmark_of
from weighbridge.policies.families.ome.predictions.engines import Engine, engines_of
from weighbridge.policies.families.ome.predictions.merge.created_objects import Workloads, workloads_of
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, read_class
from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.ome.subject.predictors import predictor_of
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.families.ome.subject.service import Service, service_of
from weighbridge.policies.families.rule import FAILURE, PLACEMENT, REFERENCE, Given, NotChecked, Said, Subject, Violation, given_object
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request

__all__ = [
    "CLASS_READS", "FAILURE", "MODEL_READS", "PLACEMENT", "REFERENCE", "RUNTIME_READS", "SERVER_KINDS", "WORKLOAD_READS",
    "AcceleratorClass", "Benchmark", "Engine", "Given", "Model", "NotChecked", "Runtime", "Said", "Service", "Violation", "Workloads",
    "benchmarks", "classes", "deployed", "enabled_runtimes", "engines", "lone_predictors", "models", "objects", "runtimes", "services",
    "weights", "workloads",
]  # fmt: skip

#: What a rule reads that asks for a service's model, for its runtime, and for its accelerator classes.
#: Each goes by the settings of OME's manager, too.
MODEL_READS: Final = ("BaseModel", "ClusterBaseModel", "ConfigMap/inferenceservice-config", "FineTunedWeight")
RUNTIME_READS: Final = (
    "BaseModel", "ClusterBaseModel", "ClusterServingRuntime", "ConfigMap/inferenceservice-config", "FineTunedWeight", "ServingRuntime",
)  # fmt: skip
CLASS_READS: Final = ("AcceleratorClass", *RUNTIME_READS)
#: What a rule reads that asks for a service's workloads: which software is installed, besides.
WORKLOAD_READS: Final = tuple(sorted((*CLASS_READS, "CustomResourceDefinition.apiextensions.k8s.io")))
#: The kinds that say what a container runs.
SERVER_KINDS: Final = ("InferenceService", "ServingRuntime", "ClusterServingRuntime")


def _deployed(request: Request, facts: Facts, config: Configuration) -> Service | None:
    service = service_of(request, facts, config)
    return service if service is not None and not service.is_virtual else None


def _model(request: Request, facts: Facts, config: Configuration) -> Model | None:
    return read_model(request.object) if isinstance(request.object, dict) else None


def _runtime(request: Request, facts: Facts, config: Configuration) -> Runtime | None:
    return read_runtime(request.object) if isinstance(request.object, dict) else None


def _enabled_runtime(request: Request, facts: Facts, config: Configuration) -> Runtime | None:
    runtime = _runtime(request, facts, config)
    return runtime if runtime is not None and not runtime.is_disabled else None


def _class(request: Request, facts: Facts, config: Configuration) -> AcceleratorClass | None:
    return read_class(request.object) if isinstance(request.object, dict) else None


def _weight(request: Request, facts: Facts, config: Configuration) -> JSONObject | None:
    return spec_of(request.object) if isinstance(request.object, dict) else None


def _lone_predictor(request: Request, facts: Facts, config: Configuration) -> JSONObject | None:
    if not isinstance(request.object, dict) or "engine" in spec_of(request.object):
        return None
    return predictor_of(request.object) or None


#: Rules about a service: as it is written, with its model, its runtime and its accelerator classes.
services: Final = Subject(("InferenceService",), service_of)
#: Rules about a service that OME deploys: not one with the mode VirtualDeployment.
deployed: Final = Subject(("InferenceService",), _deployed, RUNTIME_READS)
#: Rules about the legacy predictor of a service that has no engine.
lone_predictors: Final = Subject(("InferenceService",), _lone_predictor)
#: Rules about the workloads that OME makes for a service.
workloads: Final = Subject(("InferenceService",), workloads_of, WORKLOAD_READS)
#: Rules about the containers that start engines: of the pods that OME makes for a service, or of a runtime by itself.
engines: Final = Subject(SERVER_KINDS, engines_of, WORKLOAD_READS)
#: Rules about a model.
models: Final = Subject(("BaseModel", "ClusterBaseModel"), _model)
#: Rules about a runtime.
runtimes: Final = Subject(("ServingRuntime", "ClusterServingRuntime"), _runtime)
#: Rules about a runtime that isn't disabled.
enabled_runtimes: Final = Subject(("ServingRuntime", "ClusterServingRuntime"), _enabled_runtime)
#: Rules about an accelerator class.
classes: Final = Subject(("AcceleratorClass",), _class)
#: Rules about the spec of a fine-tuned weight.
weights: Final = Subject(("FineTunedWeight",), _weight)
#: Rules about a benchmark: what it measures and where its results go.
benchmarks: Final = Subject(("BenchmarkJob",), benchmark_of)
#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
