"""Whole predictions of services: status, objects, and each value with its source and reason, as in the files of `predictions`.

Parts that a file lacks must be empty. A file without objects compares only the sources of their values.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.llmkube.service.predicting import GROUP, KNOWN, predict
from tests.yaml_documents import read
from weighbridge.policies.families.llmkube.settings import Operator
from weighbridge.policies.families.prediction import Prediction

FILES = sorted(Path(__file__).with_name("predictions").glob("*.yaml"))
ALL = (*KNOWN, (GROUP, "ModelPool"), ("apiextensions.k8s.io", "CustomResourceDefinition"))


def told(found: Prediction) -> dict[str, Any]:
    """A prediction in the form of the files: each value with its explanation in one line."""
    values = [f"{value.object} {value.field} = {json.dumps(value.value)} <- {value.source}: {value.reason}" for value in found.values]
    shown = {
        "status": found.status,
        "values": "".join(f"{line}\n" for line in values),
        "objects": list(found.objects),
        "events": [event.as_json() for event in found.events],
        "failure": found.failure,
        "kept": found.kept,
        "unchecked": [entry.as_json() for entry in found.unchecked],
    }
    return {name: value for name, value in shown.items() if value}


def predicted(case: dict[str, Any]) -> dict[str, Any]:
    """The prediction for the service of a file."""
    operator = Operator(**case.get("operator", {}))
    return told(predict(case["service"], *case["cluster"], version=case.get("version", "v0.9.19"), operator=operator, known=ALL))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_service_becomes_what_its_file_says(path: Path) -> None:
    case = read(path.read_text(encoding="utf-8"))
    found = predicted(case)
    if "objects" not in case["prediction"]:
        found.pop("objects", None)
    assert found == case["prediction"]


def test_there_are_predictions_of_every_engine() -> None:
    runtimes = {read(path.read_text(encoding="utf-8"))["service"]["spec"].get("runtime", "llamacpp") for path in FILES}
    assert runtimes == {"llamacpp", "llamacpp-router", "vllm", "sglang", "tgi", "personaplex", "generic"}
