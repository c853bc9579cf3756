"""Conditions in a prediction."""

from __future__ import annotations

from weighbridge.policies.families.prediction import condition


def test_a_condition_is_that_of_a_status_without_its_times() -> None:
    told = {"type": "Ready", "status": "False", "reason": "NoModel", "message": "there is no model"}
    assert condition("Ready", "False", "NoModel", "there is no model") == told
