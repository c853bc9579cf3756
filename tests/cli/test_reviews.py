"""Recorded reviews: fields that a line lacks are taken from its object."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cli.reviews import read_reviews

MODEL: JSONObject = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "Model",
    "metadata": {"name": "m", "namespace": "team-a"},
    "spec": {"source": "hf://org/model"},
}


@pytest.mark.parametrize(
    "line",
    [
        {"uid": "u", "operation": "DELETE", "oldObject": MODEL},
        {"uid": "u", "operation": "DELETE", "object": None, "oldObject": MODEL},
        {"uid": "u", "operation": "CREATE", "object": MODEL},
        {"request": {"uid": "u", "operation": "DELETE", "oldObject": MODEL}},
    ],
    ids=["only the old object", "a null object", "only the object", "in a review"],
)
def test_kind_and_name_are_those_of_the_object_that_is_there(tmp_path: Path, line: JSONObject) -> None:
    file = tmp_path / "reviews.jsonl"
    file.write_text(json.dumps(line) + "\n")
    (read,) = read_reviews(str(file))
    assert read.error == ""
    assert read.request is not None
    assert (read.request.gvk.kind, read.request.namespace, read.request.name) == ("Model", "team-a", "m")


def test_a_line_without_any_object_is_no_review(tmp_path: Path) -> None:
    file = tmp_path / "reviews.jsonl"
    file.write_text('{"uid": "u", "operation": "DELETE"}\n')
    (read,) = read_reviews(str(file))
    assert read.error == f"{file}:1: not an AdmissionReview: it needs a request with a uid and an object"
