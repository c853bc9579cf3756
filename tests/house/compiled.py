"""This process uses no cache, so tests compile everything. The programs that it starts share a cache folder of this run.

It has only compiled units, no answers, so that each test runs the program itself.
"""

from __future__ import annotations

import os
from contextlib import suppress

import pytest

from weighbridge.webhook.cache.folder import VARIABLE
from weighbridge.webhook.inputs.compile_cache import compile_cache


@pytest.fixture(scope="session", autouse=True)
def programs_keep_what_they_compile(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Hundreds of programs are started, each of which would read and compile the CRDs anew."""
    assert compile_cache() is None, f"{VARIABLE} is off here"
    folder = tmp_path_factory.getbasetemp()
    # The folders of pytest-xdist's workers are in the folder of the run.
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    cache = folder / "cache"
    cache.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        # A file in place of the folder, so that it can't be used.
        (cache / "runs").touch(exist_ok=False)
    os.environ[VARIABLE] = str(cache)
