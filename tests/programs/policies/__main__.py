"""``python -m tests.programs.policies [rounds] [first seed]``: compares thousands of decisions under generated ValidatingAdmissionPolicies.

A round has 40 policies with their bindings, and 16 requests about the objects of each. KUBE names the release of the server.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.programs.control_plane.build import find_assets
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.numbers import numbers
from tests.programs.policies.client import Client, audit_flags
from tests.programs.policies.comparison import Comparison

_POLICIES = 40
_REQUESTS = 16
_SHOWN = 30


def main(arguments: list[str]) -> int:
    """Print the differences; returns 1 if there are any."""
    rounds, first = numbers(arguments, rounds=8, first_seed=0)
    assets = find_assets()
    if assets is None:
        print("there is no kube-apiserver; build it with: make control-plane", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder)
        with ControlPlane(assets, apiserver_flags=audit_flags(kept)) as plane, Client(plane) as client:
            comparison = Comparison(client, kept)
            comparison.prepare()
            for number in range(first, first + rounds):
                comparison.round(number, _POLICIES, _REQUESTS)
            comparison.compare_audits()
    tally = comparison.tally
    for difference in tally.differences[:_SHOWN]:
        print(difference)
    print(f"{comparison.release.name}: {tally}")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
