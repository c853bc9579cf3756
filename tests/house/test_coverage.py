"""Tests that repeat what others cover run without measuring coverage."""

from __future__ import annotations

import sys
from pathlib import PurePath

import pytest

from tests.conftest import ROOT
from tests.house.coverage import REPETITIONS, is_repetition, modules


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


@pytest.fixture
def traced() -> object:
    """The trace function during the setup of a fixture."""
    return sys.gettrace()


def test_this_test_and_its_fixtures_are_measured_where_anything_is(request: pytest.FixtureRequest, traced: object) -> None:
    plugin = request.config.pluginmanager.getplugin("_cov")
    if plugin is not None and plugin.cov_controller is not None:
        assert sys.gettrace() is not None
        assert traced is not None


def test_all_modules_are_imported_but_programs() -> None:
    found = set(modules(ROOT))
    assert {
        "weighbridge.policies",
        "weighbridge.policies.verdict.engine",
        "weighbridge.webhook.cli.main",
        "weighbridge.certs.authority",
    } < found
    assert not [name for name in found if name.endswith("__main__")]
