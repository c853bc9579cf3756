"""The devices that are picked, the reasons and the errors are those of the scheduler's own allocator."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.cluster import slice_of
from tests.devices.test_selectors import MI300X, SEEN
from tests.programs.devices.comparison import compare
from tests.programs.devices.judge import ask, find_judge
from weighbridge.policies.devices.selectors import Selectors
from weighbridge.policies.devices.slices import read_slice

pytestmark = pytest.mark.control_plane


@pytest.fixture(scope="module")
def judge() -> Path:
    found = find_judge()
    if found is None:
        pytest.skip("the allocator's program isn't built; build it (needs Go) with: make control-plane")
    return found


def test_generated_claims_come_out_as_they_do_there(judge: Path) -> None:
    found = compare(judge, range(300))
    assert found.differences == []
    assert found.verdicts["fits"] >= 50
    assert len(found.verdicts) >= 6
    # The program has a time limit, which it may reach on a busy machine.
    assert found.given_up < sum(found.verdicts.values()) // 10


def test_selectors_come_out_as_they_do_there(judge: Path) -> None:
    selectors = [*SEEN, *(f"({one}) && ({other})" for one in SEEN for other in SEEN[:6])]
    (theirs,) = ask(judge, [{"Driver": "gpu.amd.com", "Device": MI300X, "Selectors": selectors}])
    device = read_slice(slice_of([MI300X])).devices[0]
    matches = [Selectors().match(selector, device) for selector in selectors]
    assert [match.error or str(match.holds).lower() for match in matches] == theirs
