"""A short run of the comparison with the real server, of which `make differential` makes a longer one."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import Connections
from tests.programs.mutations.built_in_compare import run_built_in
from tests.programs.mutations.built_in_draw import BuiltInDraw
from tests.programs.mutations.compare import report, run
from tests.programs.mutations.draw import Draw
from tests.programs.mutations.stage import CRD
from weighbridge.policies.ground.server_release import judging

SEED = 11
_POLICIES = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies"


@pytest.mark.control_plane
def test_mutating_policies_do_the_same_here_and_there(control_plane: ControlPlane) -> None:
    try:
        with Connections(control_plane) as connections, judging(connections.release()):
            if connections.send("GET", _POLICIES).code == HTTPStatus.NOT_FOUND:
                pytest.skip("this server has no mutating policies unless it is asked for them")
            result = run(connections, 12, SEED)
        assert ([*result.differences], [*result.misjudged]) == ([], []), "\n".join(report(result))
        assert {200, 201, 403, 422} <= set(result.codes)
        assert sum(result.unchecked.values()) == 0
    finally:
        control_plane.kubectl("delete", "crd", "--ignore-not-found", CRD["metadata"]["name"], check=True)


class WithoutParameters(BuiltInDraw):
    """A set-up without parameters. A server that has once dropped the ConfigMaps of policies goes on using their old state, also for the
    policies of later tests.
    """

    parameters = 0


@pytest.mark.control_plane
def test_mutating_policies_do_the_same_to_built_in_kinds(control_plane: ControlPlane) -> None:
    try:
        with Connections(control_plane) as connections, judging(connections.release()):
            if connections.send("GET", _POLICIES).code == HTTPStatus.NOT_FOUND:
                pytest.skip("this server has no mutating policies unless it is asked for them")
            result = run_built_in(connections, 14, SEED, WithoutParameters)
        assert [*result.differences] == [], "\n".join(report(result))
        assert {200, 201, 403, 422, 500} <= set(result.codes)
        assert 10 * sum(result.unchecked.values()) < result.requests
    finally:
        control_plane.kubectl("delete", "crd", "--ignore-not-found", CRD["metadata"]["name"], check=True)


@pytest.mark.parametrize("draw", [Draw, BuiltInDraw])
def test_a_seed_draws_the_same_again(draw: type[Draw]) -> None:
    first, second, other = ([draw(seed).setup(number) for number in range(5)] for seed in (1, 1, 2))
    assert first == second
    assert first != other
