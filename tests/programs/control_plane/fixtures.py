"""Fixtures for tests that need a real API server: `pytest_plugins = ["tests.programs.control_plane.fixtures"]`.

They never build the programs, which takes minutes: `make control-plane` does. If that hasn't been done, the tests are skipped; with CI=true
the run then doesn't even begin (`tests/house/needs.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.programs.control_plane.build import Assets, AssetsError, find_assets, kubernetes_version
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds

BUILD_COMMAND = "make control-plane"

StartControlPlane: TypeAlias = Callable[..., ControlPlane]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test and its fixtures with the release of the server that the test asks."""
    if item.get_closest_marker("control_plane") is None:
        return (yield)
    from weighbridge.policies.ground.server_release import judging, nearest

    release = nearest(kubernetes_version())
    assert release is not None
    with judging(release):
        return (yield)


@pytest.fixture(scope="session")
def control_plane_assets() -> Assets:
    """The programs of the control plane; the test is skipped if they haven't been built."""
    try:
        assets = find_assets()
    except AssetsError as error:
        pytest.skip(f"{error}; unset it and run: {BUILD_COMMAND}")
    if assets is None:
        pytest.skip(f"etcd and kube-apiserver aren't built; build them (needs Go) with: {BUILD_COMMAND}")
    return assets


@pytest.fixture(scope="session")
def control_plane(control_plane_assets: Assets) -> Iterator[ControlPlane]:
    """One control plane for the whole run: a test removes the objects that it creates, or uses a new namespace."""
    with ControlPlane(control_plane_assets) as plane:
        yield plane


@pytest.fixture(scope="session")
def scheduling_control_plane(control_plane: ControlPlane, control_plane_assets: Assets) -> ControlPlane:
    """The same control plane with kube-scheduler, which is started by the first test that asks for it."""
    if not control_plane_assets.has_scheduler:
        pytest.skip(f"{control_plane_assets.folder} has no kube-scheduler; without KUBEBUILDER_ASSETS we build one")
    control_plane.start_scheduler()
    return control_plane


@pytest.fixture
def start_control_plane(control_plane_assets: Assets) -> Iterator[StartControlPlane]:
    """Starts control planes for this test alone, with the CRDs, users and kube-apiserver flags that it asks for."""
    with ExitStack() as planes:

        def start(*crds: Path, users: Sequence[User] = (), apiserver_flags: Sequence[str] = ()) -> ControlPlane:
            if crds:
                return planes.enter_context(plane_with_crds(control_plane_assets, *crds, users=users, apiserver_flags=apiserver_flags))
            return planes.enter_context(ControlPlane(control_plane_assets, users=users, apiserver_flags=apiserver_flags))

        yield start
