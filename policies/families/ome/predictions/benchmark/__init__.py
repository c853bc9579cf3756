"""The Job that OME creates for a BenchmarkJob, or why it creates none.

OME creates the Job once, when all objects that it needs exist, and never changes it. If one of them is missing, it retries again and
again, and reports it only in its log. Source: OME v0.1.5, pkg/controller/v1beta1/benchmark and pkg/webhook/admission/benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.benchmark.benchmark import Benchmark, benchmark_of
from weighbridge.policies.families.ome.predictions.benchmark.job import job_of
from weighbridge.policies.families.ome.predictions.benchmark.output import WRITABLE
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import placeable
from weighbridge.policies.families.ome.subject.named_object import named_object
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, Operation, name_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.template import label_errors, template_errors

_SUBJECT: Final = "what OME does with it"
_PENDING: Final[JSONObject] = {"state": "Pending"}
_RUNNING: Final[JSONObject] = {"state": "Running"}


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a BenchmarkJob; `None` without a spec, and for subresources."""
    benchmark = benchmark_of(request, facts, config) if named_object(request) is not None else None
    if benchmark is None:
        return None
    if not benchmark.target.is_one:
        # OME's webhook refuses it.
        return Prediction(status={})
    if benchmark.is_over or (benchmark.has_begun and request.operation is Operation.UPDATE):
        # The Job exists, and stays as it is.
        return Prediction(status={"state": benchmark.state})
    unknown = [Unchecked(_SUBJECT, reason) for reason in _unknown(benchmark)]
    failure, target = failure_of(benchmark), benchmark.target
    settings, values = benchmark.settings.settings(), _values(benchmark)
    if failure or not benchmark.is_known:
        return Prediction(status=_PENDING, settings=settings, failure=failure, unchecked=unknown)
    job, model = job_of(benchmark), target.model
    errors = refusal_of(job)
    if errors and target.is_ready:
        failure = invalid_message("Job", "batch", name_of(job), errors)
        return Prediction(status=_PENDING, settings=settings, failure=failure, weight=Severity.ERROR, unchecked=unknown)
    waits = "" if target.is_ready else f"{target.title} isn't Ready yet"
    return Prediction(
        status=_PENDING if waits else _RUNNING,
        objects=() if waits else [job],
        values=values,
        settings=settings,
        waits=waits,
        unchecked=unknown,
        placed=lambda: [] if errors else placeable([job], model, facts) if model is not None else [job],
    )


def refusal_of(job: JSONObject) -> list[FieldError]:
    """Why the API server refuses a Job."""
    labels = label_errors(text_map(job, "metadata", "labels"), "metadata.labels")
    return [*labels, *template_errors(part(job, "spec", "template"), "spec.template")]


def failure_of(benchmark: Benchmark) -> str:
    """Why the controller creates no Job; empty if it creates one, if it waits, or if that isn't known."""
    target = benchmark.target
    if target.is_missing:
        return f"{target.title} doesn't exist"
    return obstacle_of(benchmark) if target.is_missing is False and target.is_ready else ""


def obstacle_of(benchmark: Benchmark) -> str:
    """Why the controller creates no Job for an existing target once that is Ready, by the first of its checks that fails."""
    return benchmark.settings.trouble or _of_target(benchmark) or _of_output(benchmark)


def _of_target(benchmark: Benchmark) -> str:
    target, reference = benchmark.target, benchmark.target.model_reference
    if reference is None:
        return ""
    if not reference.name:
        return f"{target.title} names no model"
    if reference.is_missing:
        return f"model {reference.name} of {target.title} doesn't exist"
    if target.lacks_path:
        return f"model {reference.name} names no storage.path"
    return "" if target.url or not target.is_ready else f"{target.title} has no URL in its status"


def _of_output(benchmark: Benchmark) -> str:
    output = benchmark.output
    if output.mistake:
        return f"the results' storageUri can't be read: {output.mistake}"
    if output.scheme not in WRITABLE:
        return f"results can't be written to {output.scheme}://"
    claim = output.parts.get("claim", "")
    if output.scheme == "pvc" and CLAIMS.is_missing(benchmark.facts, benchmark.namespace, claim):
        return f'namespace "{benchmark.namespace}" has no PersistentVolumeClaim "{claim}"'
    return ""


def _unknown(benchmark: Benchmark) -> Iterator[str]:
    target, output = benchmark.target, benchmark.output
    if target.is_missing is None:
        yield "the InferenceService isn't known"
    if target.model_reference is not None and target.model_reference.unknown:
        yield target.model_reference.unknown
    if output.is_of("pvc") and CLAIMS.is_missing(benchmark.facts, benchmark.namespace, output.parts["claim"]) is None:
        yield CLAIMS.unknown


def _values(benchmark: Benchmark) -> list[PredictedValue]:
    """The values that the Job takes from the service."""
    target, model = benchmark.target, benchmark.target.model
    if model is None:
        return []
    what = f"BenchmarkJob {benchmark.name}"
    out = [
        PredictedValue(what, "model", model.title, f"{target.title} {target.model_field}", "its files are mounted into the job's pod"),
        PredictedValue(what, "model path", target.path, f"{model.title} spec.storage.path", ""),
    ]
    return [*out, PredictedValue(what, "address", target.url, f"{target.title} status.url", "")] if target.url else out
