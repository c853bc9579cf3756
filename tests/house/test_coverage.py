"""Coverage isn't measured of the tests that repeat what others cover."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from tests.conftest import ROOT
from tests.house.coverage import REPETITIONS, is_repetition


@pytest.mark.parametrize("repetition", REPETITIONS)
def test_every_repetition_is_there(repetition: str) -> None:
    assert (ROOT / repetition).exists()


@pytest.mark.parametrize(
    ("path", "repeats"),
    [
        ("tests/doors/test_http.py", True),
        ("tests/e2e/test_agreement.py", True),
        ("tests/e2e_more/test_agreement.py", False),
        ("tests/doors/test_engine.py", False),
    ],
)
def test_a_file_is_found_by_its_own_path_or_its_folder(path: str, repeats: bool) -> None:
    assert is_repetition(PurePath(path)) is repeats


def test_marked_tests_are_those_of_the_repetitions(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        assert bool(item.get_closest_marker("no_cover")) is is_repetition(item.path.relative_to(ROOT))
