"""A hundred decisions under generated policies are compared with a real kube-apiserver's. `make differential` compares thousands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.policies.client import Client, audit_flags
from tests.programs.policies.comparison import Comparison


@pytest.mark.control_plane
def test_decisions_are_those_of_the_server(start_control_plane: StartControlPlane, tmp_path: Path) -> None:
    plane = start_control_plane(apiserver_flags=audit_flags(tmp_path))
    with Client(plane) as client:
        comparison = Comparison(client, tmp_path)
        comparison.prepare()
        comparison.round(7, 14, 8)
        comparison.compare_audits()
    tally = comparison.tally
    assert tally.differences == []
    assert tally.decisions == 112
    assert tally.unchecked < 10
    # Policies aren't asked about a request that the server refuses before.
    unasked = sum(tally.kinds[code] for code in ("400", "409", "422"))
    assert tally.audits == tally.decisions - tally.unchecked - unasked
    assert tally.kinds["refused by policy"]
