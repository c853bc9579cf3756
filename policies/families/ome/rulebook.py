"""What the rules of OME import: their subjects, and the names that every rule uses."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.benchmark.benchmark import Benchmark, benchmark_of
from weighbridge.policies.families.ome.predictions.engines import StartedEngine, engines_of
from weighbridge.policies.families.ome.predictions.merge.created_objects import Workloads, workloads_of
from weighbridge.policies.families.ome.subject.accelerators import AcceleratorClass, read_class
from weighbridge.policies.families.ome.subject.model import Model, read_model
from weighbridge.policies.families.ome.subject.predictors import predictor_of
from weighbridge.policies.families.ome.subject.runtime import Runtime, read_runtime
from weighbridge.policies.families.ome.subject.service import Service, service_of
from weighbridge.policies.families.rule import (
    FAILURE,
    PLACEMENT,
    QUOTA,
    REFERENCE,
    Given,
    NotChecked,
    Said,
    Subject,
    Violation,
    given_object,
    of_object,
)
from weighbridge.policies.ground.fields import amount, amounts, items, part, text, text_map, texts, whole
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Operation, Path, name_of, namespace_of, walk, written
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import Similar, listed

__all__ = [
    "CLASS_READS",
    "FAILURE",
    "MODEL_READS",
    "PLACEMENT",
    "QUOTA",
    "REFERENCE",
    "RUNTIME_READS",
    "SERVER_KINDS",
    "WORKLOAD_READS",
    "AcceleratorClass",
    "Benchmark",
    "Finding",
    "Given",
    "JSONObject",
    "JSONValue",
    "Model",
    "NotChecked",
    "Operation",
    "Path",
    "Runtime",
    "Said",
    "Service",
    "Severity",
    "Similar",
    "StartedEngine",
    "Violation",
    "Workloads",
    "amount",
    "amounts",
    "benchmarks",
    "classes",
    "deployed",
    "enabled_runtimes",
    "engines",
    "items",
    "listed",
    "lone_predictors",
    "models",
    "name_of",
    "namespace_of",
    "objects",
    "part",
    "runtimes",
    "services",
    "spec_of",
    "text",
    "text_map",
    "texts",
    "walk",
    "weights",
    "whole",
    "workloads",
    "written",
]  # fmt: skip

#: The kinds that a rule reads if it asks for a service's model, for its runtime, or for its accelerator classes. Each of these depends on
#: the settings of OME's manager, too.
MODEL_READS: Final = ("BaseModel", "ClusterBaseModel", "ConfigMap/inferenceservice-config", "FineTunedWeight")
RUNTIME_READS: Final = (
    "BaseModel", "ClusterBaseModel", "ClusterServingRuntime", "ConfigMap/inferenceservice-config", "FineTunedWeight", "ServingRuntime",
)  # fmt: skip
CLASS_READS: Final = ("AcceleratorClass", *RUNTIME_READS)
#: The kinds that a rule reads if it asks for a service's workloads, which also depend on the installed software.
WORKLOAD_READS: Final = tuple(sorted((*CLASS_READS, "CustomResourceDefinition.apiextensions.k8s.io")))
#: The kinds that decide what a container runs.
SERVER_KINDS: Final = ("InferenceService", "ServingRuntime", "ClusterServingRuntime")


def _deployed(request: Request, facts: Facts, config: Configuration) -> Service | None:
    service = service_of(request, facts, config)
    return service if service is not None and not service.is_virtual else None


def _enabled_runtime(obj: JSONObject) -> Runtime | None:
    runtime = read_runtime(obj)
    return None if runtime.is_disabled else runtime


def _lone_predictor(obj: JSONObject) -> JSONObject | None:
    return None if "engine" in spec_of(obj) else predictor_of(obj) or None


#: Rules about a service: as it is written, with its model, its runtime and its accelerator classes.
services: Final = Subject(("InferenceService",), service_of)
#: Rules about a service that OME deploys: not one with the mode VirtualDeployment.
deployed: Final = Subject(("InferenceService",), _deployed, RUNTIME_READS)
#: Rules about the legacy predictor of a service that has no engine.
lone_predictors: Final = Subject(("InferenceService",), of_object(_lone_predictor))
#: Rules about the workloads that OME creates for a service.
workloads: Final = Subject(("InferenceService",), workloads_of, WORKLOAD_READS)
#: Rules about the containers that start engines: in the pods that OME creates for a service, or in a runtime without a service.
engines: Final = Subject(SERVER_KINDS, engines_of, WORKLOAD_READS)
#: Rules about a model.
models: Final = Subject(("BaseModel", "ClusterBaseModel"), of_object(read_model))
#: Rules about a runtime.
runtimes: Final = Subject(("ServingRuntime", "ClusterServingRuntime"), of_object(read_runtime))
#: Rules about a runtime that isn't disabled.
enabled_runtimes: Final = Subject(("ServingRuntime", "ClusterServingRuntime"), of_object(_enabled_runtime))
#: Rules about an accelerator class.
classes: Final = Subject(("AcceleratorClass",), of_object(read_class))
#: Rules about the spec of a fine-tuned weight.
weights: Final = Subject(("FineTunedWeight",), of_object(spec_of))
#: Rules about a benchmark: its target and the place of its results.
benchmarks: Final = Subject(("BenchmarkJob",), benchmark_of)
#: Rules about an object as it is written.
objects: Final = Subject((), given_object)
