"""`install_crds` waits until a definition is established, discovered and served, since any of the three may come last."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from tests.programs.control_plane.crds import wait_until_served
from tests.programs.control_plane.plane import ControlPlane

BRIDGES = Path(__file__).with_name("bridges.yaml")
GROUP = "/apis/test.weighbridge.dev/v1"
DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bridges.test.weighbridge.dev"


def definition(established: str) -> dict[str, Any]:
    return {"status": {"conditions": [{"type": "NamesAccepted", "status": "True"}, {"type": "Established", "status": established}]}}


ALL = {GROUP: {"resources": [{"name": "bridges"}]}, f"{GROUP}/bridges": {"items": []}, DEFINITION: definition("True")}


class Answers:
    """A plane that gives the same answers for ever."""

    def __init__(self, bodies: Mapping[str, Any]) -> None:
        self._bodies = bodies

    def wait_until_ok(self, path: str, is_wanted: Callable[[bytes], bool] = lambda _: True, *, timeout: float) -> None:
        if path not in self._bodies or not is_wanted(json.dumps(self._bodies[path]).encode()):
            raise TimeoutError(path)

    def kubectl(self, *arguments: str, check: bool) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(arguments, 0, "its conditions", "")


def wait(bodies: Mapping[str, Any]) -> None:
    wait_until_served(cast("ControlPlane", Answers(bodies)), BRIDGES, timeout=0)


def test_a_definition_that_is_established_discovered_and_served_is_there() -> None:
    wait(ALL)


@pytest.mark.parametrize(
    "late",
    [
        {DEFINITION: definition("False")},
        {DEFINITION: {"status": {}}},
        {GROUP: {"resources": [{"name": "bridges/status"}]}},
        {f"{GROUP}/bridges": None},
    ],
    ids=["not established", "without conditions", "not discovered", "not served"],
)
def test_a_definition_of_which_one_is_late_is_not_there_yet(late: dict[str, Any]) -> None:
    bodies = {path: body for path, body in (ALL | late).items() if body is not None}
    with pytest.raises(AssertionError, match="its conditions"):
        wait(bodies)
