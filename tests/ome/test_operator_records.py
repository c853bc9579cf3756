"""Compares the runtime and the accelerator classes predicted for a service with those that OME's manager chose, and the error at which it
stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.conftest import CountVectors
from tests.ome.records import cluster_of, records, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.families.ome.predictions.failures import failure_of, refusal_of
from weighbridge.policies.families.ome.subject.service import Service, service_of
from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.verdict.engine import decide

#: Records that differ from the prediction, with the reason.
EXCEPTIONS: dict[str, str] = {
    "ome-admit-mode-leader-only": "the controller panics on a leader without a worker, which comes after the choice",
    "ome-deploy-engine-annotation-MultiNode": "the same for a mode without leader and worker",
    "ome-deploy-runtime-engine-annotation-MultiNode": "the same",
}
#: Refusals that can't be predicted, with the reason.
UNTOLD: dict[str, str] = {
    "ome-model-config-then-isvc": "OME's manager filled the model in by a ConfigMap of its agents",
}
#: The webhook's refusals because of a model or runtime; separate rules report all others.
_OF_SELECTION = (
    *("invalid deploy config", "unable to parse deploy config", "no supporting runtime found", "model reference is required when"),
    *("not found in namespace", "is disabled", "panic"),
)
#: Failures of the controller before it makes pods.
_OF_RESOLVING = (
    "failed to get base model spec",
    "model reference is required",
    "is disabled",
    "not found in namespace",
    "does not support model",
    "no runtime found to support",
    "invalid model specification",
    "accelerator class",
    "Knative Serving is not available",
    "panic",
)


def served(record: dict[str, Any]) -> Iterator[tuple[JSONObject, Service]]:
    """The services of a case, except those with legacy predictors, which are migrated first."""
    facts, services = cluster_of(record)
    for service in services:
        if "predictor" not in service["spec"]:
            found = service_of(request_for(service), facts, DEFAULT)
            assert found is not None
            yield service, found


def test_runtimes_and_classes_are_those_that_ome_chose(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record in records():
        recorded = {found["name"]: found for found in record["outcome"].get("inferenceServices", ())}
        for obj, service in served(record):
            told = recorded.get(name_of(obj))
            if told is None or not told.get("runtime"):
                continue
            count += 1
            classes = {name: choice.name for name, choice in service.classes.items() if choice.accelerator is not None}
            ours = (service.runtime.name if service.runtime is not None else "", classes)
            theirs = (told["runtime"], told.get("acceleratorClass", {}))
            if ours != theirs:
                wrong[record["id"]] = ours, theirs
    assert wrong == {}
    count_vectors("OME selection", count, count)


def test_what_ome_s_webhook_refuses_is_reported(count_vectors: CountVectors) -> None:
    """It is an error, a warning if the object that the service refers to may still be created, or "not checked" if OME's agent completes
    the model.

    No service that OME refuses is admitted silently.
    """
    untold, count = set(), 0
    for record in records():
        refused = {entry["ref"] for entry in record["outcome"]["admission"] if entry["op"] == "create" and not entry["allowed"]}
        facts, services = cluster_of(record)
        for service in services:
            if f"InferenceService/{name_of(service)}" not in refused or record["id"] in UNTOLD:
                continue
            count += 1
            decision = decide(request_for(service), facts, DEFAULT)
            is_warned_of = any(finding.severity is Severity.WARNING for finding in decision.findings)
            if decision.allowed and not is_warned_of and not any("OME's agent" in found.reason for found in decision.unchecked):
                untold.add(record["id"])
    assert untold == set()
    count_vectors("OME refusals of services", count, count)


def test_services_fail_where_ome_comes_no_further(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record in records():
        admitted = {entry["ref"]: entry for entry in record["outcome"]["admission"] if entry["op"] == "create"}
        recorded = {found["name"]: found for found in record["outcome"].get("inferenceServices", ())}
        for obj, service in served(record):
            name = name_of(obj)
            entry = admitted[f"InferenceService/{name}"]
            told = entry.get("message", "") if not entry["allowed"] else ""
            if "DELETE" in told or record["id"] in EXCEPTIONS:
                continue
            count += 1
            refused = any(words in told for words in _OF_SELECTION)
            if bool(refusal_of(service)) != refused:
                wrong[record["id"]] = f"refused: {refusal_of(service)!r}, not {told!r}"
            error = recorded.get(name, {}).get("error", "")
            failed = any(words in error for words in _OF_RESOLVING)
            if not told and bool(failure_of(service)) != failed:
                wrong[record["id"]] = f"failed: {failure_of(service)!r}, not {error!r}"
    assert wrong == {}
    count_vectors("OME admission of services", count, count)
