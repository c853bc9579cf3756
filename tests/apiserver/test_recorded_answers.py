"""Each answer to a request with an odd body, word for word. `test_agrees_with_server` asks a real server the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.apiserver.answer_text import RECORDED_BY, read_texts
from tests.apiserver.recording import FOLDER, cases
from weighbridge.policies.ground.server_release import judging

CASES = cases()
RECORDED = {name: read_texts(FOLDER / f"{name}.md") for name in CASES}
ANSWERS = [(name, case, text) for name, texts in CASES.items() for case, text in texts.items()]


@pytest.fixture(autouse=True)
def recorded_release() -> Iterator[None]:
    """Judge by the release of the recorded server."""
    with judging(RECORDED_BY):
        yield


@pytest.mark.parametrize(("name", "case", "text"), ANSWERS, ids=[f"{name} {case}" for name, case, _ in ANSWERS])
def test_a_request_is_answered_as_recorded(name: str, case: str, text: Callable[[], str]) -> None:
    assert text() == RECORDED[name][case]


def test_what_is_recorded_are_the_cases() -> None:
    assert {name: texts.keys() for name, texts in RECORDED.items()} == {name: texts.keys() for name, texts in CASES.items()}
