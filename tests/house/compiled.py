"""This process keeps nothing that it compiles, so tests compile anew. The programs that it starts share a cache folder of this run."""

from __future__ import annotations

import os

import pytest

from weighbridge.webhook.inputs.compile_cache import VARIABLE, compile_cache


@pytest.fixture(scope="session", autouse=True)
def programs_keep_what_they_compile(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Hundreds of programs are started, each of which would read and compile the CRDs anew."""
    assert compile_cache() is None, f"{VARIABLE} is off here"
    folder = tmp_path_factory.getbasetemp()
    # The folders of the workers of pytest-xdist lie in that of the run.
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    os.environ[VARIABLE] = str(folder / "compiled")
