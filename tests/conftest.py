"""What every test may use: the data beside the checkout, and the real control plane."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest_plugins = ["tests.control_plane.fixtures"]

# What tests compile is nobody's to keep; those of the cache itself name a folder of their own.
os.environ["WEIGHBRIDGE_CACHE"] = "off"

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with conformance vectors and upstream's manifests; tests that need it are skipped where it isn't."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} isn't there: it holds the conformance vectors and upstream's manifests")
    return SHARED
