"""Each answer to a definition that is created or replaced, word for word. `test_agrees_with_server` asks a real server the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.acceptance.cases_update import UPDATES, Update
from tests.acceptance.recording import CREATIONS, FOLDER, answer_to_creation, answer_to_update
from tests.apiserver.answer_text import RECORDED_BY, read_texts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import judging

RECORDED_CREATIONS = read_texts(FOLDER / "creations.md")
RECORDED_UPDATES = read_texts(FOLDER / "updates.md")


@pytest.fixture(autouse=True)
def recorded_release() -> Iterator[None]:
    """Judge by the release of the recorded server."""
    with judging(RECORDED_BY):
        yield


@pytest.mark.parametrize(("name", "crd"), CREATIONS.items(), ids=CREATIONS)
def test_a_creation_is_answered_as_recorded(name: str, crd: JSONObject) -> None:
    assert answer_to_creation(crd) == RECORDED_CREATIONS[name]


@pytest.mark.parametrize(("name", "update"), UPDATES.items(), ids=UPDATES)
def test_an_update_is_answered_as_recorded(name: str, update: Update) -> None:
    assert answer_to_update(update) == RECORDED_UPDATES[name]


def test_what_is_recorded_are_the_cases() -> None:
    assert set(RECORDED_CREATIONS) == set(CREATIONS)
    assert set(RECORDED_UPDATES) == set(UPDATES)
