"""Fixtures for every test: the data next to the checkout. The plugins for all tests are in `tests/house`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
#: The folder of the package `weighbridge` in the checkout.
PACKAGE = ROOT / ".ci" / "package"
SHARED = ROOT.parent / "shared"

# A failed assertion in a helper shows its values, as in a test.
pytest.register_assert_rewrite(*(f"tests.{room.name}" for room in sorted((ROOT / "tests").iterdir()) if (room / "__init__.py").exists()))

pytest_plugins = [
    "tests.house.chosen",
    "tests.house.compiled",
    "tests.house.coverage",
    "tests.house.garbage",
    "tests.house.needs",
    "tests.house.network",
    "tests.house.order",
    "tests.house.recorded",
    "tests.house.reports",
    "tests.house.vectors",
    "tests.programs.control_plane.fixtures",
]

# The user's own cache is neither read nor written; see tests/house/compiled.py.
os.environ["WEIGHBRIDGE_CACHE"] = "off"

# A slow example on a busy machine is no failure. The gate draws the same examples each time; other runs draw new ones.
settings.register_profile(
    "weighbridge", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=os.environ.get("CI") == "true"
)
settings.load_profile("weighbridge")

#: Records the number of cases in a file of conformance vectors, and the number of compared verdicts.
CountVectors: TypeAlias = Callable[[str, int, int], None]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with conformance vectors and upstream's manifests; tests that need it are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} isn't there: it holds the conformance vectors and upstream's manifests")
    return SHARED


@pytest.fixture
def kubernetes_1_36() -> Iterator[None]:
    """Judge by Kubernetes 1.36, and not by the newest."""
    from weighbridge.policies.ground.server_release import judging, nearest

    release = nearest("1.36")
    assert release is not None
    with judging(release):
        yield


@pytest.fixture
def kubernetes_of_the_plane() -> Iterator[None]:
    """Judge by the release of the control plane, which KUBE names; by default the newest."""
    from tests.programs.control_plane.build import RELEASE_VARIABLE
    from weighbridge.policies.ground.server_release import USUAL, judging, nearest

    release = nearest(os.environ.get(RELEASE_VARIABLE) or USUAL.name)
    assert release is not None
    with judging(release):
        yield
