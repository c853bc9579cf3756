"""Whole predictions for services and benchmarks: every object, every value with its origin, and the tables that are shown."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.ome.records import DEFINITIONS, KINDS, request_for
from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.ome.family import FAMILY
from weighbridge.policies.families.ome.kinds import GROUP
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import GroupVersionKind

#: The cluster's objects, the object, and its prediction.
FILES = sorted((Path(__file__).parent / "predicted").glob("*.yaml"))


def told(value: PredictedValue) -> str:
    """A value as one line."""
    written = value.value if isinstance(value.value, str) else json_text(value.value)
    return f"{value.field} = {written} <- {value.source}" + (f" ({value.reason})" if value.reason else "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_prediction_is_as_it_is_written_down(file: Path) -> None:
    *held, obj, expected = read_all(file.read_text())
    facts = from_objects(held, DEFINITIONS)
    facts.objects.complete(besides=[(GROUP, kind) for kind in KINDS])
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    found = FAMILY.predict[gvk.kind](request_for(obj), facts, DEFAULT)
    assert found is not None
    values = defaultdict(list)
    for value in found.values:
        values[value.object].append(told(value))
    assert values == expected.pop("values")
    assert {key: value for key, value in found.as_json().items() if key != "values" and (value or key == "status")} == expected
