"""Garbage is collected while tests run, but not searched for among the tests themselves."""

from __future__ import annotations

import gc

import pytest

from tests.house.garbage import THRESHOLDS


def test_what_was_collected_is_left_out(request: pytest.FixtureRequest) -> None:
    assert gc.isenabled()
    assert gc.get_threshold() == THRESHOLDS
    assert gc.get_freeze_count() > len(request.session.items)
    assert not any(found is request.session.items for found in gc.get_objects())
