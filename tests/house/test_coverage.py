"""Coverage isn't measured of the tests that repeat what others cover."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from tests.conftest import ROOT
from tests.house.coverage import REPETITIONS, is_repetition, modules, switch


@pytest.mark.parametrize("repetition", REPETITIONS)
def test_every_repetition_is_there(repetition: str) -> None:
    assert (ROOT / repetition).exists()


@pytest.mark.parametrize(
    ("path", "repeats"),
    [
        ("tests/doors/test_http.py", True),
        ("tests/e2e/test_agreement.py", True),
        ("tests/e2e_more/test_agreement.py", False),
        ("tests/doors/test_families_on_demand.py", False),
    ],
)
def test_a_file_is_found_by_its_own_path_or_its_folder(path: str, repeats: bool) -> None:
    assert is_repetition(PurePath(path)) is repeats


class Recorded:
    """Takes down what it is told."""

    def __init__(self, *, started: bool) -> None:
        self.started = started
        self.told: list[str] = []

    def pause(self) -> None:
        self.started = False
        self.told.append("pause")

    def resume(self) -> None:
        self.started = True
        self.told.append("resume")


@pytest.mark.parametrize("started", [True, False])
@pytest.mark.parametrize("is_measured", [True, False])
def test_measuring_is_switched_where_it_changes(started: bool, is_measured: bool) -> None:
    controller = Recorded(started=started)
    switch(controller, is_measured=is_measured)
    assert controller.started is is_measured
    assert controller.told == ([] if started is is_measured else ["resume" if is_measured else "pause"])


def test_this_test_is_measured_where_anything_is(request: pytest.FixtureRequest) -> None:
    plugin = request.config.pluginmanager.getplugin("_cov")
    if plugin is not None and plugin.cov_controller is not None:
        assert plugin.cov_controller.started


def test_all_modules_are_imported_but_programs() -> None:
    found = set(modules(ROOT))
    assert {"policies", "policies.engine", "webhook.cli.main", "certs.authority"} < found
    assert not [name for name in found if name.endswith("__main__")]
