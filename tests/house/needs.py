"""The requirements of a gate: with CI=true a run ends before its first test if one is missing, instead of skipping tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.conftest import SHARED
from tests.programs.control_plane.build import AssetsError, find_assets
from tests.programs.control_plane.tools import HELM, PROMQL
from tests.programs.devices.judge import find_judge
from tests.programs.rules.judge import find_judge as find_rules_judge
from tests.programs.type_checks.judge import find_judge as find_type_checker


def pytest_sessionstart() -> None:
    """End the run with one line that names everything that is missing."""
    if os.environ.get("CI") == "true" and (lacking := list(missing())):
        raise pytest.UsageError(f"with CI=true nothing may be skipped, but there is no {'; no '.join(lacking)}")


def missing() -> Iterator[str]:
    """The missing requirements, each with the way to install it."""
    if not SHARED.is_dir():
        yield f"{SHARED}, which holds the conformance vectors and upstream's manifests"
    try:
        assets = find_assets()
    except AssetsError as error:
        yield f"control plane: {error}"
    else:
        if assets is None:
            yield "etcd, kube-apiserver and kube-scheduler, which `make control-plane` builds"
        elif not assets.has_scheduler:
            yield f"kube-scheduler in {assets.folder}; unset KUBEBUILDER_ASSETS and run `make control-plane`"
    if find_judge() is None:
        yield "program of the scheduler's allocator, which `make control-plane` builds"
    if find_rules_judge() is None:
        yield "program of the API server's code for rules, which `make control-plane` builds"
    if find_type_checker() is None:
        yield "program of the controller's type checker, which `make control-plane` builds"
    for tool in (HELM, PROMQL):
        if tool.find() is None:
            yield f"{tool.name}, which `make control-plane` builds"
