"""Compares the predictions for benchmark jobs with the recorded answers and Jobs of OME's webhook and manager."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.conftest import CountVectors
from tests.ome.records import DEFINITIONS, KINDS, answer, definition_of, records, request_for
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.ome.predictions.benchmark import predict
from weighbridge.policies.families.ome.predictions.benchmark.output import output_of
from weighbridge.policies.families.ome.predictions.benchmark.scenarios import is_accepted
from weighbridge.policies.families.prediction import Prediction
from weighbridge.policies.ground.objects import JSONObject


def benchmarks() -> Iterator[tuple[dict[str, Any], JSONObject, Facts]]:
    """The recorded jobs with their cluster."""
    for record in records():
        jobs = [obj for obj in record["objects"] if obj["kind"] == "BenchmarkJob"]
        if jobs:
            held = [answer(obj)[0] for obj in record["objects"] if definition_of(obj) is not None and obj["kind"] != "BenchmarkJob"]
            facts = from_objects([*(obj for obj in held if obj is not None), *record["nodes"]], DEFINITIONS)
            facts.objects.complete(besides=[*((GROUP, kind) for kind in KINDS), ("", "PersistentVolumeClaim")])
            yield record, jobs[-1], facts


def predicted(job: JSONObject, facts: Facts) -> Prediction:
    """The prediction for a job."""
    found = predict(request_for(job), facts, DEFAULT)
    assert found is not None
    return found


def _as_recorded(job: Any) -> JSONObject:
    """A predicted Job in the form of the recordings: without names, and without the labels that the API server adds to the pods."""
    metadata, spec = job["metadata"], dict(job["spec"])
    template = spec.pop("template")
    pod = {"labels": template["metadata"]["labels"], "spec": template["spec"]}
    return {"name": metadata["name"], "labels": metadata["labels"], "annotations": metadata["annotations"], "spec": spec, "pod": pod}


def _made(record: dict[str, Any]) -> list[JSONObject]:
    """The recorded Jobs."""
    out = []
    for job in record["outcome"].get("produced", ()):
        if job["kind"] == "Job":
            labels = {name: value for name, value in job["pod"]["labels"].items() if "job-name" not in name}
            out.append({**{name: value for name, value in job.items() if name != "kind"}, "pod": {**job["pod"], "labels": labels}})
    return out


def test_jobs_are_those_that_ome_made(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record, job, facts in benchmarks():
        if record["outcome"]["verdict"] != "refused":
            count += 1
            found, [stored] = predicted(job, facts), record["outcome"]["benchmarkJobs"]
            ours = list(map(_as_recorded, found.objects)), found.status
            theirs = _made(record), stored["status"]
            if ours != theirs:
                wrong[record["id"]] = ours, theirs
    assert wrong == {}
    count_vectors("OME benchmark jobs", count, count)


def test_jobs_fail_where_ome_makes_none(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record, job, facts in benchmarks():
        words = record["message"]
        if "denied the request" not in words and "is invalid" not in words:
            count += 1
            failure = predicted(job, facts).failure
            if bool(failure) != bool(words):
                wrong[record["id"]] = failure, words
    assert wrong == {}
    count_vectors("OME benchmark failures", count, count)


def test_the_webhook_refuses_scenarios_and_places_that_it_cannot_read(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record, job, _ in benchmarks():
        words, spec = record["message"], job["spec"]
        assert isinstance(spec, dict)
        count += 1
        task = str(spec["task"])
        scenarios = spec.get("trafficScenarios") or (["E(64)"] if task == "text-to-embeddings" else [])
        assert isinstance(scenarios, list)
        refuses = any(not is_accepted(task, str(scenario)) for scenario in scenarios)
        mistaken = bool(output_of(job).mistake) if "outputLocation" in spec else False
        if refuses != ("invalid traffic scenarios" in words) or mistaken != ("invalid storage" in words):
            wrong[record["id"]] = refuses, mistaken, words
    assert wrong == {}
    count_vectors("OME benchmark webhook", count, count)
