"""A model's time of creation: in UTC and whole seconds, and predicted if its author left it open."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.families.llmaz.kinds import OPEN_MODEL
from weighbridge.policies.families.llmaz.predictions.model import predict
from weighbridge.policies.ground.objects import Operation, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import decide
from weighbridge.webhook.inputs.facts import bundled_definitions

_FACTS = from_objects([], bundled_definitions())


def _request(**more: Any) -> Request:
    model = {
        "apiVersion": "llmaz.io/v1alpha1",
        "kind": "OpenModel",
        "metadata": {"name": "a"},
        "spec": {"familyName": "f", "source": {"modelHub": {"modelID": "a/b"}}, **more},
    }
    return Request("1", Operation.CREATE, OPEN_MODEL, model, name="a")


def _filled(**more: Any) -> dict[str, Any]:
    """The values that are filled in before the model is stored."""
    return {field(entry.path): entry.value for entry in decide(_request(**more), _FACTS, DEFAULT).provenance}


def _predicted(**more: Any) -> dict[str, Any]:
    found = predict(_request(**more), _FACTS, DEFAULT)
    assert found is not None
    return {value.field: value.value for value in found.values}


@pytest.mark.parametrize(
    ("given", "stored"),
    [("2025-01-01T02:00:00+02:00", "2025-01-01T00:00:00Z"), ("2025-01-01T00:00:00.75Z", "2025-01-01T00:00:00Z")],
    ids=["another zone", "a fraction"],
)
def test_a_time_is_stored_as_upstream_writes_it(given: str, stored: str) -> None:
    assert _filled(createdAt=given)["spec.createdAt"] == stored
    found = decide(_request(createdAt=given), _FACTS, DEFAULT).object
    assert isinstance(found, dict)
    assert found["spec"]["createdAt"] == stored


def test_a_time_in_that_form_stays_and_is_not_told_of() -> None:
    for given in ("2025-01-01T00:00:00Z", "yesterday"):
        assert "spec.createdAt" not in _filled(createdAt=given)
        assert "spec.createdAt" not in _predicted(createdAt=given)


def test_a_model_without_a_time_gets_that_of_its_first_write() -> None:
    assert _predicted()["spec.createdAt"] == "the time of the first write"
