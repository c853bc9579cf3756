"""The Job that OME makes for a BenchmarkJob, or why it makes none.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark and pkg/webhook/admission/benchmark.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.benchmark.benchmark import Benchmark, benchmark_of
from weighbridge.policies.families.ome.predictions.benchmark.job import job_of
from weighbridge.policies.families.ome.predictions.benchmark.output import WRITABLE, output_arguments
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.template import label_errors, template_errors

_SUBJECT = "what OME does with it"


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a BenchmarkJob; `None` for what has no spec, and for subresources."""
    benchmark = benchmark_of(request, facts, config) if named_object(request) is not None else None
    if benchmark is None:
        return None
    unchecked = [Unchecked(_SUBJECT, reason) for reason in _unknown(benchmark)]
    failure = failure_of(benchmark)
    if failure:
        return Prediction(status={}, failure=failure, unchecked=unchecked)
    job = job_of(benchmark)
    if errors := refusal_of(job):
        failure = invalid_message("Job", "batch", name_of(job), errors)
        return Prediction(status={}, failure=failure, weight=Severity.ERROR, unchecked=unchecked)
    return Prediction(status={}, objects=[job], values=_values(benchmark), unchecked=unchecked)


def refusal_of(job: JSONObject) -> list[FieldError]:
    """Why the API server refuses a Job."""
    labels = label_errors(text_map(job, "metadata", "labels"), "metadata.labels")
    return [*labels, *template_errors(part(job, "spec", "template"), "spec.template")]


def failure_of(benchmark: Benchmark) -> str:
    """Why the controller makes no Job, empty where it does. It says so in its log alone."""
    target, output = benchmark.target, benchmark.output
    if target.is_missing:
        return f"InferenceService {'/'.join(target.service)} isn't there"
    reference = target.model_reference
    if reference is not None and reference.is_missing:
        return f"model {reference.name} of InferenceService {'/'.join(target.service)} isn't there"
    if reference is not None and target.lacks_path:
        return f"model {reference.name} names no storage.path"
    if output.mistake:
        return f"the results' storageUri can't be read: {output.mistake}"
    if output.scheme not in WRITABLE:
        return f"results can't be written to {output.scheme}://"
    claim = output.parts.get("claim", "")
    if output.scheme == "pvc" and CLAIMS.is_missing(benchmark.facts, benchmark.namespace, claim):
        return f'namespace "{benchmark.namespace}" has no PersistentVolumeClaim "{claim}"'
    return ""


def _unknown(benchmark: Benchmark) -> list[str]:
    out, target, output = [], benchmark.target, benchmark.output
    if target.is_missing is None:
        out.append("the InferenceService isn't known")
    if target.model_reference is not None and target.model_reference.unknown:
        out.append(target.model_reference.unknown)
    if output.is_of(*WRITABLE) and output_arguments(benchmark.obj) is None:
        out.append(f"the arguments for results on {output.scheme}:// aren't known")
    return out


def _values(benchmark: Benchmark) -> list[PredictedValue]:
    """What the job takes from its service."""
    target, model = benchmark.target, benchmark.target.model
    if model is None:
        return []
    what = f"BenchmarkJob {benchmark.name}"
    service = f"InferenceService {'/'.join(target.service)}"
    return [
        PredictedValue(what, "model", model.title, f"{service} spec.model.name", "its files are mounted into the job's pod"),
        PredictedValue(what, "model path", target.path, f"{model.title} spec.storage.path", ""),
    ]
