"""Whole predictions of services of both groups: every object, every value with its source, and the tables."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.yaml_documents import read_all
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.aim.family import FAMILY
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import GroupVersionKind, Operation, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions

#: The cluster, the object, and its prediction.
FILES = sorted((Path(__file__).parent / "predicted").glob("*.yaml"))


def told(value: PredictedValue) -> str:
    """A value in a line."""
    written = value.value if isinstance(value.value, str) else json_text(value.value)
    return f"{value.field} = {written} <- {value.source}" + (f" ({value.reason})" if value.reason else "")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_prediction_is_as_it_is_written_down(file: Path) -> None:
    *held, obj, expected = read_all(file.read_text())
    facts = from_objects(held, bundled_definitions())
    facts.objects.complete(besides=[(kind.gvk.group, kind.gvk.kind) for kind in FAMILY.kinds])
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    request = Request("1", Operation.CREATE, gvk, obj, namespace=namespace_of(obj), name=name_of(obj))
    found = FAMILY.predict[gvk.kind](request, facts, DEFAULT)
    assert found is not None
    values = defaultdict(list)
    for value in found.values:
        values[value.object].append(told(value))
    assert values == expected.pop("values")
    assert {key: value for key, value in found.as_json().items() if key != "values" and (value or key == "status")} == expected
