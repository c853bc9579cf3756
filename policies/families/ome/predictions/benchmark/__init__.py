"""What becomes of a BenchmarkJob: the Job that it makes, or why it makes none.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark and pkg/webhook/admission/benchmark.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.benchmark.job import job_of
from weighbridge.policies.families.ome.predictions.benchmark.output import WRITABLE, output_arguments, output_of
from weighbridge.policies.families.ome.predictions.benchmark.target import Target, target_of
from weighbridge.policies.families.ome.subject.service_spec import service_of
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.families.references import CLAIMS
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import part, text_map
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.template import label_errors, template_errors

_SUBJECT = "what OME makes of it"


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a BenchmarkJob; `None` for what has no spec, and for subresources."""
    job = service_of(request)
    if job is None:
        return None
    target = target_of(job, facts)
    unchecked = [Unchecked(_SUBJECT, reason) for reason in _unknown(job, target)]
    failure = failure_of(job, target, facts)
    if failure:
        return Prediction(status={}, failure=failure, unchecked=unchecked)
    made = job_of(job, target)
    if errors := refusal_of(made):
        told = invalid_message("Job", "batch", name_of(made), errors)
        return Prediction(status={}, failure=told, weight=Severity.ERROR, unchecked=unchecked)
    return Prediction(status={}, objects=[made], values=_values(job, target), unchecked=unchecked)


def refusal_of(job: JSONObject) -> list[FieldError]:
    """What the API server has against a Job."""
    labels = label_errors(text_map(job, "metadata", "labels"), "metadata.labels")
    return [*labels, *template_errors(part(job, "spec", "template"), "spec.template")]


def failure_of(job: JSONObject, target: Target, facts: Facts) -> str:
    """Why the controller makes no Job, empty where it does. It says so in its log alone."""
    if target.is_missing:
        return f"InferenceService {'/'.join(target.service)} isn't there"
    if target.model is not None and target.model.is_missing:
        return f"model {target.model.name} of InferenceService {'/'.join(target.service)} isn't there"
    if target.model is not None and target.lacks_path:
        return f"model {target.model.name} names no storage.path"
    output = output_of(job)
    if output.mistake:
        return f"the results' storageUri can't be read: {output.mistake}"
    if output.scheme not in WRITABLE:
        return f"results can't be written to {output.scheme}://"
    claim = output.parts.get("claim", "")
    if output.scheme == "pvc" and CLAIMS.is_missing(facts, namespace_of(job), claim):
        return f'namespace "{namespace_of(job)}" has no PersistentVolumeClaim "{claim}"'
    return ""


def _unknown(job: JSONObject, target: Target) -> list[str]:
    out = []
    if target.is_missing is None:
        out.append("the InferenceService isn't known")
    if target.model is not None and target.model.unknown:
        out.append(target.model.unknown)
    output = output_of(job)
    if output.scheme in WRITABLE and not output.mistake and output_arguments(job) is None:
        out.append(f"the arguments for results on {output.scheme}:// aren't known")
    return out


def _values(job: JSONObject, target: Target) -> list[PredictedValue]:
    """What the job takes from its service."""
    model = target.model.model if target.model is not None else None
    if model is None:
        return []
    what = f"BenchmarkJob {name_of(job)}"
    service = f"InferenceService {'/'.join(target.service)}"
    return [
        PredictedValue(what, "model", model.title, f"{service} spec.model.name", "its files are mounted into the job's pod"),
        PredictedValue(what, "model path", target.path, f"{model.title} spec.storage.path", ""),
    ]
