"""Benchmark jobs against what OME's manager and webhook made of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from policies.config import DEFAULT
from policies.facts import Facts
from policies.families.effective import Effective
from policies.families.ome.resolve.benchmark import resolve
from policies.objects import JSONObject
from tests.conftest import CountVectors
from tests.ome.records import cluster_of, records, request_for


def benchmarks() -> Iterator[tuple[dict[str, Any], JSONObject, Facts]]:
    """The recorded jobs with their cluster."""
    for record in records():
        jobs = [obj for obj in record["objects"] if obj["kind"] == "BenchmarkJob"]
        if jobs:
            facts, services = cluster_of(record)
            for service in services:
                facts = facts.with_objects([service]) if hasattr(facts, "with_objects") else facts
            yield record, jobs[-1], facts


def predicted(job: JSONObject, facts: Facts) -> Effective:
    """What is predicted of a job."""
    found = resolve(request_for(job), facts, DEFAULT)
    assert found is not None
    return found


def test_jobs_are_those_that_ome_made(count_vectors: CountVectors) -> None:
    wrong, count = {}, 0
    for record, job, facts in benchmarks():
        for made in (found for found in record["outcome"].get("produced", ()) if found["kind"] == "Job"):
            count += 1
            (ours,) = predicted(job, facts).objects
            template: Any = ours["spec"]["template"]  # type: ignore[index, call-overload]
            if template["spec"] != made["pod"]["spec"]:
                wrong[record["id"]] = template["spec"], made["pod"]["spec"]
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
